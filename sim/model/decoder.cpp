#include "sim/model/decoder.h"

#include "sim/model/causal_loss.h"
#include "sim/model/decoder_attention.h"
#include "sim/model/gated_mlp.h"
#include "sim/model/linear.h"
#include "sim/model/rms_norm.h"

namespace heddle::model {
namespace {

constexpr int kIdBytes = 8;

// Operators that reach the backend (README). Embedding: gather, position range and its view, test
// whether the mask is all ones (3). Head: num_logits_to_keep slices the hidden states three times.
constexpr int kEmbeddingOps = 6;
constexpr int kEmbeddingBackwardOps = 3;
constexpr int kHeadSlices = 3;

// Torch modules with hooks: the layer, attention with four linears and the rotary embedding, the
// MLP with three linears and its activation, two norms.
constexpr int kLayerModules = 14;
constexpr int kHeadModules = 2;

struct Shape {
  Shape(const ModelSpec& spec, const BatchShape& batch, const Numerics& numerics)
      : tokens(batch.micro_batch * batch.sequence),
        stream(tokens * spec.hidden * numerics.stream),
        residual(numerics.stream == 2 ? stream : 0),
        norm_output(numerics.autocast() ? stream : 0) {}
  std::int64_t tokens;
  std::int64_t stream;       // bytes of the residual stream
  std::int64_t residual;     // of them alive in forward besides saved tensors: an fp32 stream is
                             // itself what the norms save
  std::int64_t norm_output;  // bytes of a norm's output where no one saves it
};

Module embedding(const ModelSpec& spec, const BatchShape& batch, const Numerics& numerics) {
  const Shape shape(spec, batch, numerics);
  ModuleBuilder builder("embed", ModuleKind::kEmbedding, numerics);
  const std::int64_t table = spec.vocab * spec.hidden * numerics.stream;
  int weight = -1;
  if (!spec.tied_embeddings) {
    builder.begin_submodule();
    weight = builder.param("embed_tokens.weight", {spec.vocab, spec.hidden});
  }
  builder.forward("embedding")
      .traffic(shape.tokens * kIdBytes + 2 * shape.stream)
      .dispatches(kEmbeddingOps)
      .transient(shape.stream)
      .reads({weight});
  // The dense gradient is filled with zeros, then rows are added. A tied table has its gradient
  // from the head already: this one is a temporary that is added to it.
  builder.backward("embedding backward")
      .traffic(table + 3 * shape.stream + (spec.tied_embeddings ? 3 * table : 0),
               spec.tied_embeddings ? 3 : 2)
      .dispatches(kEmbeddingBackwardOps + (spec.tied_embeddings ? 1 : 0))
      .transient({shape.stream, spec.tied_embeddings ? table : 0})
      .gradients({weight});
  return builder.finish(1);
}

void residual_add(RowBuilder row, const Shape& shape) {
  row.traffic(3 * shape.stream).dispatches(1).transient(Tensors::copies(3, shape.stream));
}

/// Autocast adds bf16 outputs to the fp32 stream; backward rounds the gradient on the way in.
void round_gradient(ModuleBuilder& builder, const Shape& shape) {
  if (!builder.numerics().autocast()) return;
  const std::int64_t rounded = shape.stream / 2;
  builder.backward("output grad cast")
      .traffic(shape.stream + rounded)
      .dispatches(1)
      .transient({shape.stream, rounded});
}

Module layer(const ModelSpec& spec, const BatchShape& batch, const Numerics& numerics) {
  const Shape shape(spec, batch, numerics);
  ModuleBuilder builder("layer", ModuleKind::kLayer, numerics);
  const RmsNorm input_norm(builder, "input_layernorm", spec.hidden, shape.tokens);
  const DecoderAttention attention(builder, spec, batch);
  const RmsNorm post_norm(builder, "post_attention_layernorm", spec.hidden, shape.tokens);
  const GatedMlp mlp(builder, spec, shape.tokens);

  input_norm.forward({shape.residual, shape.norm_output});
  attention.forward(shape.residual, shape.norm_output);
  residual_add(builder.forward("residual"), shape);
  post_norm.forward({shape.residual, shape.norm_output});
  mlp.forward(shape.residual, shape.norm_output);
  residual_add(builder.forward("residual"), shape);

  round_gradient(builder, shape);
  mlp.backward(shape.stream, post_norm.output());
  post_norm.backward(shape.stream);
  residual_add(builder.backward("residual backward"), shape);
  round_gradient(builder, shape);
  attention.backward(shape.stream, input_norm.output());
  input_norm.backward(shape.stream);
  residual_add(builder.backward("residual backward"), shape);
  return builder.finish(kLayerModules);
}

Module head(const ModelSpec& spec, const BatchShape& batch, const Numerics& numerics) {
  const Shape shape(spec, batch, numerics);
  ModuleBuilder builder("norm+head", ModuleKind::kHead, numerics);
  const RmsNorm norm(builder, "norm", spec.hidden, shape.tokens);
  const Linear lm_head(
      builder, {.path = "lm_head", .in = spec.hidden, .out = spec.vocab, .from_stream = true},
      shape.tokens);
  const std::int64_t logits = shape.tokens * spec.vocab * numerics.compute;

  norm.forward({shape.residual, shape.norm_output});
  builder.forward("last hidden states").dispatches(kHeadSlices);
  lm_head.forward({shape.norm_output, logits});

  lm_head.backward({logits, shape.stream}, norm.output());
  builder.backward("last hidden states backward")
      .traffic(kHeadSlices * 3 * shape.stream, 2 * kHeadSlices)
      .dispatches(kHeadSlices)
      .transient(Tensors::copies(2, shape.stream));
  norm.backward(0);
  return builder.finish(kHeadModules);
}

}  // namespace

DecoderParts build_decoder(const ModelSpec& spec, const BatchShape& batch, Precision precision) {
  const Numerics numerics(precision);
  return {embedding(spec, batch, numerics), layer(spec, batch, numerics),
          head(spec, batch, numerics), build_causal_loss(spec, batch, numerics)};
}

Bytes decoder_output_bytes(const ModelSpec& spec, const BatchShape& batch) {
  return {batch.micro_batch * batch.sequence * spec.vocab * 4};
}

}  // namespace heddle::model

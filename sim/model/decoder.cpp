#include "sim/model/decoder.h"

#include "sim/model/causal_loss.h"
#include "sim/model/checkpoint.h"
#include "sim/model/decoder_layer.h"
#include "sim/model/eager_attention.h"
#include "sim/model/fused_loss.h"
#include "sim/model/linear.h"
#include "sim/model/rms_norm.h"
#include "sim/model/stream_shape.h"

namespace heddle::model {
namespace {

constexpr int kIdBytes = 8;

// Operators that reach the backend (README). Embedding: gather, position range and its view, test
// whether the mask is all ones (3). Head: num_logits_to_keep slices the hidden states three times.
constexpr int kEmbeddingOps = 6;
constexpr int kEmbeddingBackwardOps = 3;
constexpr int kHeadSlices = 3;
constexpr int kHeadModules = 2;
// Derived: filled with the lowest number, triangle, comparison with positions, product, expand,
// clone, padding added and compared, filled.
constexpr int kMaskOps = 14;
constexpr int kMaskPasses = 10;

struct Embedding {
  std::int64_t stream;
  std::int64_t table;
  int weight = -1;
  int mask = -1;
};

/// The mask of eager attention is held until the last layer has it; checkpointed layers hold it
/// until they are recomputed.
void add_mask(ModuleBuilder& builder, const BatchShape& batch, Embedding& embedding) {
  if (builder.options().attention != Attention::kEager) return;
  const bool recomputed = builder.options().checkpointing != Checkpointing::kNone;
  const std::int64_t bytes = eager_mask_bytes(batch, builder.numerics());
  embedding.mask =
      builder.saved("causal mask", bytes, recomputed ? Held::kBackward : Held::kForward);
  builder.forward("causal mask")
      .traffic(kMaskPasses * bytes, kMaskOps / 2)
      .dispatches(kMaskOps)
      .saves({embedding.mask})
      .transient({embedding.stream, bytes});
  if (!recomputed) embedding.mask = -1;  // no row drops it
}

/// Both ways; the factor is a tensor of one element.
void scale_embedding(ModuleBuilder& builder, const Embedding& embedding) {
  builder.forward("scale embedding")
      .traffic(2 * embedding.stream)
      .dispatches(2)
      .transient(Tensors::copies(2, embedding.stream));
  if (builder.frozen()) return;
  builder.backward("scale embedding backward")
      .traffic(2 * embedding.stream)
      .dispatches(1)
      .transient(Tensors::copies(2, embedding.stream));
}

void embedding_backward(ModuleBuilder& builder, const Embedding& embedding, bool tied) {
  if (builder.frozen()) {
    // Nothing to compute: the node that would be here has no gradient to take.
    if (embedding.mask >= 0) builder.backward("causal mask").dispatches(1);
  } else {
    // The dense gradient is filled with zeros, then rows are added. A tied table has its gradient
    // from the head already: this one is a temporary that is added to it.
    builder.backward("embedding backward")
        .traffic(embedding.table + 3 * embedding.stream + (tied ? 3 * embedding.table : 0),
                 tied ? 3 : 2)
        .dispatches(kEmbeddingBackwardOps + (tied ? 1 : 0))
        .transient({embedding.stream, tied ? embedding.table : 0})
        .gradients({embedding.weight});
  }
  if (embedding.mask >= 0) builder.dropped({embedding.mask});
}

Module build_embedding(const ModelSpec& spec, const BatchShape& batch,
                       const ComputeOptions& options) {
  const StreamShape stream(spec, batch, options);
  ModuleBuilder builder("embed", ModuleKind::kEmbedding, options);
  Embedding embedding{.stream = stream.bytes,
                      .table = spec.vocab * spec.hidden * builder.numerics().stream};
  if (!spec.tied_embeddings) {
    builder.begin_submodule();
    embedding.weight = builder.param("embed_tokens.weight", {spec.vocab, spec.hidden});
  }
  builder.forward("embedding")
      .traffic(stream.tokens * kIdBytes + 2 * stream.bytes)
      .dispatches(kEmbeddingOps)
      .transient(stream.bytes)
      .reads({embedding.weight});
  if (spec.scaled_embedding) scale_embedding(builder, embedding);
  add_mask(builder, batch, embedding);
  embedding_backward(builder, embedding, spec.tied_embeddings);
  return builder.finish(1);
}

void slices_backward(ModuleBuilder& builder, const StreamShape& stream) {
  builder.backward("last hidden states backward")
      .traffic(kHeadSlices * 3 * stream.bytes, 2 * kHeadSlices)
      .dispatches(kHeadSlices)
      .transient(Tensors::copies(2, stream.bytes));
}

Module build_head(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options) {
  const StreamShape stream(spec, batch, options);
  ModuleBuilder builder("norm+head", ModuleKind::kHead, options);
  const RmsNorm norm(builder, "norm", spec.hidden, stream.tokens, !builder.frozen(),
                     {spec.offset_norm});
  const Linear lm_head(
      builder, {.path = "lm_head", .in = spec.hidden, .out = spec.vocab, .from_stream = true},
      stream.tokens);
  const std::int64_t logits = stream.tokens * spec.vocab * builder.numerics().compute;

  norm.forward({norm.stream() < 0 ? stream.bytes : 0, norm.loose_output()});
  builder.forward("last hidden states").dispatches(kHeadSlices);
  lm_head.forward({norm.loose_output(), logits});

  lm_head.backward({logits, stream.bytes}, norm.output());
  slices_backward(builder, stream);
  norm.backward(Tensors{});
  return builder.finish(kHeadModules);
}

}  // namespace

ModelParts build_decoder(const ModelSpec& spec, const BatchShape& batch,
                         const ComputeOptions& options) {
  const bool fused = options.loss == LossHead::kFused;
  ModelParts parts{
      .embedding = build_embedding(spec, batch, options),
      .layer = build_decoder_layer(spec, batch, options, false),
      .checkpointed_layer = {},
      .head = fused ? build_fused_head(spec, batch, options) : build_head(spec, batch, options),
      .loss = build_causal_loss(spec, batch, options)};
  if (options.checkpointing != Checkpointing::kNone) {
    parts.checkpointed_layer = checkpointed(build_decoder_layer(spec, batch, options, true),
                                            {StreamShape(spec, batch, options).bytes});
  }
  return parts;
}

}  // namespace heddle::model

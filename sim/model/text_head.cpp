#include "sim/model/layer_norm.h"
#include "sim/model/linear.h"
#include "sim/model/text_layout.h"
#include "sim/model/text_model.h"

namespace heddle::model {
namespace {

constexpr int kHeadModules = 2;

/// What transformers does to the hidden states before the head: slices that keep them all, or a
/// view.
void keep_forward(ModuleBuilder& builder, const TextLayout& layout) {
  const int ops = layout.head_slices + layout.head_views;
  if (ops > 0) builder.forward("last hidden states").dispatches(ops);
}

void keep_backward(ModuleBuilder& builder, const TextLayout& layout, std::int64_t stream) {
  const int ops = layout.head_slices + layout.head_views;
  if (ops == 0) return;
  RowBuilder row = builder.backward("last hidden states backward");
  row.dispatches(ops);
  if (layout.head_slices == 0) return;
  row.traffic(layout.head_slices * 3 * stream, 2 * layout.head_slices)
      .transient(Tensors::copies(2, stream));
}

}  // namespace

Module build_text_head(const ModelSpec& spec, const BatchShape& batch,
                       const ComputeOptions& options) {
  const TextLayout& layout = text_layout(spec.text_kind);
  ModuleBuilder builder("norm+head", ModuleKind::kHead, options);
  const Numerics& numerics = builder.numerics();
  const std::int64_t tokens = batch.micro_batch * batch.sequence;
  const std::int64_t stream = tokens * spec.hidden * numerics.stream;
  const std::int64_t logits = tokens * spec.vocab * numerics.compute;
  const LayerNorm norm(builder, layout.norm, spec.hidden, tokens, {.bias = spec.biases});
  const Linear head(builder,
                    {.path = layout.head,
                     .in = spec.hidden,
                     .out = spec.vocab,
                     .bias = layout.head_bias,
                     .from_stream = true},
                    tokens);

  norm.forward();
  keep_forward(builder, layout);
  head.forward({numerics.autocast() ? stream : 0, logits});
  head.backward({logits, stream}, norm.output());
  keep_backward(builder, layout, stream);
  norm.backward({});
  return builder.finish(kHeadModules);
}

}  // namespace heddle::model

#include "sim/model/layer_norm.h"
#include "sim/model/linear.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {
namespace {

constexpr int kPoolOps = 9;  // 7 views, mean, concatenation
constexpr int kPoolBackwardOps = 10;
constexpr int kPoolBackwardKernels = 10;  // mean's division, 4 slices filled and copied, sum
constexpr int kHeadModules = 2;

}  // namespace

Module build_vit_head(const ModelSpec& spec, const BatchShape& batch, const Numerics& numerics) {
  ModuleBuilder builder("norm+head", ModuleKind::kHead, numerics);
  const std::int64_t tokens = batch.micro_batch * batch.sequence;
  const std::int64_t stream = tokens * spec.hidden * numerics.stream;
  const std::int64_t pooled = batch.micro_batch * 2 * spec.hidden * numerics.stream;
  const LayerNorm norm(builder, "layernorm", spec.hidden, tokens);
  const Linear classifier(builder,
                          {.path = "classifier",
                           .in = 2 * spec.hidden,
                           .out = spec.classes,
                           .bias = true,
                           .from_stream = true},
                          batch.micro_batch);
  // Pooling copies, so nothing keeps the norm's output.
  const int features = numerics.autocast() ? -1 : builder.saved("[cls, mean of patches]", pooled);
  const int unused = norm.output();

  norm.forward();
  builder.forward("pool")
      .traffic(stream + 2 * pooled, 2)
      .dispatches(kPoolOps)
      .saves({features})
      .drops({unused})
      .transient(stream + 2 * pooled);
  classifier.forward(pooled);
  classifier.backward(2 * pooled, features);
  builder.backward("pool backward")
      .traffic(16 * stream, kPoolBackwardKernels)
      .dispatches(kPoolBackwardOps)
      .transient(3 * stream);
  norm.backward(0);
  return builder.finish(kHeadModules);
}

Module build_vit_loss(const ModelSpec& spec, const BatchShape& batch, const Numerics& numerics) {
  ModuleBuilder builder("loss", ModuleKind::kLoss, numerics);
  const std::int64_t logits = batch.micro_batch * spec.classes * 4;
  const int log_softmax = builder.saved("log-softmax", logits);
  builder.forward("cross-entropy")
      .traffic(4 * logits, 3)
      .dispatches(4)
      .saves({log_softmax})
      .transient(logits);
  builder.backward("cross-entropy backward")
      .traffic(5 * logits, 4)
      .dispatches(4)
      .drops({log_softmax})
      .transient(2 * logits);
  return builder.finish(1);
}

}  // namespace heddle::model

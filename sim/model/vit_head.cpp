#include "sim/model/layer_norm.h"
#include "sim/model/linear.h"
#include "sim/model/vit.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {
namespace {

// Operators (README). [cls, mean of patches]: 7 views, mean, concatenation. cls: 3 views.
constexpr int kMeanPoolOps = 9;
constexpr int kMeanPoolBackwardOps = 10;
constexpr int kMeanPoolBackwardKernels = 10;  // mean's division, 4 slices filled and copied, sum
constexpr int kClsOps = 3;
constexpr int kClsBackwardOps = 3;
constexpr int kClsBackwardKernels = 6;  // 3 slices filled and copied
constexpr int kHeadModules = 2;

/// Bytes of the tensors around the classifier.
struct Pool {
  std::int64_t stream;    // the norm's output
  std::int64_t features;  // what the classifier reads
  std::int64_t logits;    // what it writes
};

/// What the classifier finds.
struct Features {
  int saved;  // the saved tensor that is its input, or -1 where it keeps a cast of its own
  Tensors forward_live;
  Tensors backward_live;
};

Features mean_pool_forward(ModuleBuilder& builder, const LayerNorm& norm, const Pool& pool) {
  // Pooling copies, so nothing keeps the norm's output.
  const int features =
      builder.numerics().autocast() ? -1 : builder.saved("[cls, mean of patches]", pool.features);
  builder.forward("pool")
      .traffic(pool.stream + 2 * pool.features, 2)
      .dispatches(kMeanPoolOps)
      .saves({features})
      .drops({norm.output()})
      .transient({pool.stream, pool.features, pool.features});
  return {features, pool.features, {pool.features, pool.features}};
}

void mean_pool_backward(ModuleBuilder& builder, const Pool& pool) {
  builder.backward("pool backward")
      .traffic(16 * pool.stream, kMeanPoolBackwardKernels)
      .dispatches(kMeanPoolBackwardOps)
      .transient(Tensors::copies(3, pool.stream));
}

/// The cls token is a view: who holds it holds the whole output of the norm.
Features cls_forward(ModuleBuilder& builder, const LayerNorm& norm, const Pool& pool) {
  const std::int64_t held = norm.output() < 0 ? pool.stream : 0;
  builder.forward("cls token").dispatches(kClsOps).transient(held);
  return {norm.output(), {held, pool.logits}, {pool.features, pool.features, pool.logits}};
}

void cls_backward(ModuleBuilder& builder, const Pool& pool) {
  builder.backward("cls token backward")
      .traffic(4 * pool.stream + 4 * pool.features, kClsBackwardKernels)
      .dispatches(kClsBackwardOps)
      .transient({pool.stream, pool.stream, pool.features});
}

LinearShape classifier_shape(const ModelSpec& spec) {
  return {.path = "classifier",
          .in = classifier_width(spec),
          .out = spec.classes,
          .bias = true,
          .from_stream = true};
}

}  // namespace

Module build_vit_head(const ModelSpec& spec, const BatchShape& batch,
                      const ComputeOptions& options) {
  ModuleBuilder builder("norm+head", ModuleKind::kHead, options);
  const Numerics& numerics = builder.numerics();
  const bool mean = spec.vit_kind == VitKind::kDinov2;
  const std::int64_t tokens = batch.micro_batch * batch.sequence;
  const Pool pool{tokens * spec.hidden * numerics.stream,
                  batch.micro_batch * classifier_width(spec) * numerics.stream,
                  batch.micro_batch * spec.classes * numerics.compute};
  const LayerNorm norm(builder, "layernorm", spec.hidden, tokens);
  const Linear classifier(builder, classifier_shape(spec), batch.micro_batch);

  norm.forward();
  const Features input =
      mean ? mean_pool_forward(builder, norm, pool) : cls_forward(builder, norm, pool);
  classifier.forward(input.forward_live);
  classifier.backward(input.backward_live, input.saved);
  mean ? mean_pool_backward(builder, pool) : cls_backward(builder, pool);
  norm.backward(0);
  return builder.finish(kHeadModules);
}

Module build_vit_loss(const ModelSpec& spec, const BatchShape& batch,
                      const ComputeOptions& options) {
  ModuleBuilder builder("loss", ModuleKind::kLoss, options);
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
      .transient({logits, logits});
  return builder.finish(1);
}

}  // namespace heddle::model

#include "sim/model/dropout.h"
#include "sim/model/linear.h"
#include "sim/model/text_layout.h"
#include "sim/model/text_model.h"

namespace heddle::model {
namespace {

constexpr int kTanhOps = 2;  // with the detach of its saved output
constexpr int kViews = 1;    // of the labels, beyond those of the loss
constexpr int kModules = 5;  // pooler with linear and activation, dropout, classifier

}  // namespace

// classifier(dropout(tanh(pooler(first token)))). The first token is a view of the last layer's
// output, which that layer has saved; under autocast the pooler keeps a cast of the token alone.
Module build_pooled_head(const ModelSpec& spec, const BatchShape& batch,
                         const ComputeOptions& options) {
  const TextLayout& layout = text_layout(spec.text_kind);
  ModuleBuilder builder("pooler+head", ModuleKind::kHead, options);
  const Numerics& numerics = builder.numerics();
  const std::int64_t samples = batch.micro_batch;
  const std::int64_t stream = samples * batch.sequence * spec.hidden * numerics.stream;
  const std::int64_t features = samples * spec.hidden * numerics.compute;
  const std::int64_t logits = samples * spec.classes * numerics.compute;
  const std::int64_t held = numerics.autocast() ? stream : 0;
  const Linear pooler(builder,
                      {.path = "pooler.dense",
                       .in = spec.hidden,
                       .out = spec.hidden,
                       .bias = true,
                       .from_stream = true,
                       .name = "pooler",
                       .flat = true},
                      samples);
  const Linear classifier(
      builder,
      {.path = layout.head, .in = spec.hidden, .out = spec.classes, .bias = true, .flat = true},
      samples);
  const int pooled = builder.saved("pooled", features);
  const Dropout dropout(builder, "classifier dropout", spec.dropout.classifier,
                        samples * spec.hidden, numerics.compute);
  const int dropped = dropout.active() ? builder.saved("pooled, after dropout", features) : -1;

  builder.forward("first token").dispatches(layout.head_slices).transient(held);
  pooler.forward({held, features});
  builder.forward("tanh")
      .traffic(2 * features)
      .dispatches(kTanhOps)
      .saves({pooled})
      .transient({held, features});
  dropout.forward(held, dropped);
  classifier.forward({held, logits});
  builder.forward("views for the loss").dispatches(kViews);

  builder.backward("views for the loss backward").dispatches(kViews);
  classifier.backward({logits, features}, dropped);
  dropout.backward({});
  builder.backward("tanh backward")
      .traffic(3 * features)
      .dispatches(kTanhOps)
      .drops({pooled})
      .transient(Tensors::copies(2, features));
  pooler.backward({features, features});
  builder.backward("first token backward")
      .traffic(3 * stream, 2 * layout.head_slices)
      .dispatches(layout.head_slices)
      .transient(Tensors::copies(2, stream));
  return builder.finish(kModules);
}

}  // namespace heddle::model

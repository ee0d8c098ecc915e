#include "sim/model/causal_loss.h"

#include "sim/model/chunked_loss.h"
#include "sim/model/compiled_loss.h"
#include "sim/model/fused_loss.h"
#include "sim/model/module_builder.h"
#include "sim/model/softmax_passes.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kUpcastBytes = 6;

struct Logits {
  std::int64_t full;      // bytes of all positions, as returned
  std::int64_t shifted;   // of those that have a next token
  std::int64_t computed;  // bytes as the head made them
  bool upcast;
};

void forward(ModuleBuilder& builder, const Logits& logits, int log_softmax) {
  if (logits.upcast) {
    builder.forward("upcast logits")
        .traffic(logits.full / 4 * kUpcastBytes)
        .dispatches(1)
        .transient({logits.computed, logits.full});
  }
  // Slices of logits (2) and labels, two copies, two views.
  builder.forward("shift logits")
      .traffic(2 * logits.shifted, 2)
      .dispatches(7)
      .transient({logits.full, logits.shifted});
  builder.forward("log-softmax")
      .traffic(kSoftmaxPasses * logits.shifted)
      .dispatches(2)
      .saves({log_softmax})
      .transient({logits.full, logits.shifted});
  builder.forward("nll")
      .traffic(logits.shifted / 4)
      .dispatches(1)
      .transient({logits.full, logits.shifted});
}

void backward(ModuleBuilder& builder, const Logits& logits, int log_softmax) {
  builder.backward("nll backward")
      .traffic(logits.shifted, 2)
      .dispatches(2)
      .transient(logits.shifted);
  builder.backward("log-softmax backward")
      .traffic(kSoftmaxBackwardPasses * logits.shifted)
      .dispatches(2)
      .drops({log_softmax})
      .transient({logits.shifted, logits.shifted});
  // Two slices undone: fill, then copy.
  builder.backward("shift logits backward")
      .traffic(5 * logits.shifted + logits.full, 4)
      .dispatches(3)
      .transient({logits.shifted, logits.full});
  if (!logits.upcast) return;
  builder.backward("upcast logits backward")
      .traffic(logits.full / 4 * kUpcastBytes)
      .dispatches(1)
      .transient({logits.computed, logits.full});
}

}  // namespace

std::int64_t logit_element(const ModelSpec& spec, const Numerics& numerics) {
  return spec.fp32_logits || numerics.autocast() ? 4 : numerics.compute;
}

namespace {

Module returned_loss(const ModelSpec& spec, const BatchShape& batch,
                     const ComputeOptions& options) {
  ModuleBuilder builder("loss", ModuleKind::kLoss, options);
  const std::int64_t compute = builder.numerics().compute;
  const std::int64_t positions = batch.micro_batch * batch.sequence;
  const std::int64_t predicted = positions - batch.micro_batch;
  const std::int64_t element = logit_element(spec, builder.numerics());
  const Logits logits{.full = positions * spec.vocab * element,
                      .shifted = predicted * spec.vocab * element,
                      .computed = positions * spec.vocab * compute,
                      .upcast = compute != element};
  const int log_softmax = builder.saved("log-softmax", logits.shifted);
  forward(builder, logits, log_softmax);
  backward(builder, logits, log_softmax);
  return builder.finish(1);
}

}  // namespace

Module build_causal_loss(const ModelSpec& spec, const BatchShape& batch,
                         const ComputeOptions& options) {
  switch (options.loss) {
    case LossHead::kReturned:
      return returned_loss(spec, batch, options);
    case LossHead::kKept:
    case LossHead::kDropped:
      return build_chunked_loss(spec, batch, options, 1);
    case LossHead::kChunked:
      return build_chunked_loss(spec, batch, options, options.loss_chunks);
    case LossHead::kCompiled:
      return build_compiled_loss(spec, batch, options);
    case LossHead::kFused:
      return build_fused_loss(batch, options);
  }
  return {};
}

Bytes causal_output_bytes(const ModelSpec& spec, const BatchShape& batch,
                          const ComputeOptions& options) {
  const std::int64_t logits = batch.micro_batch * batch.sequence * spec.vocab;
  switch (options.loss) {
    case LossHead::kReturned:
      return {logits * logit_element(spec, Numerics(options.precision))};
    case LossHead::kChunked:
      if (options.compiled && options.loss_chunks > 1)
        return {0};  // the loss saves these very logits
      [[fallthrough]];
    case LossHead::kKept:
      return {logits * Numerics(options.precision).compute};
    case LossHead::kDropped:
    case LossHead::kCompiled:
    case LossHead::kFused:
      return {0};
  }
  return {};
}

}  // namespace heddle::model

#include "sim/model/compiled_loss.h"

namespace heddle::model {
namespace {

constexpr int kKernels = 2;   // reduction over rows; selection and mean
constexpr int kGraphOps = 7;  // entry into the graph, assumed, and its kernels

}  // namespace

Module build_compiled_loss(const ModelSpec& spec, const BatchShape& batch,
                           const ComputeOptions& options) {
  ModuleBuilder builder("loss", ModuleKind::kLoss, options);
  const std::int64_t positions = batch.micro_batch * batch.sequence;
  const std::int64_t logits = positions * spec.vocab * builder.numerics().compute;
  const int kept = builder.saved("logits", logits);
  const int rows = builder.saved("maximum and sum", positions * 8);
  // The reduction reads each row twice: 32000 and more elements do not stay on chip.
  builder.forward("cross-entropy")
      .traffic(2 * logits, kKernels)
      .dispatches(kGraphOps)
      .saves({kept, rows});
  builder.backward("cross-entropy backward")
      .traffic(2 * logits, 1)
      .dispatches(kGraphOps - 1)
      .drops({kept, rows})
      .transient(logits);
  return builder.finish(1);
}

}  // namespace heddle::model

#include <array>
#include <string_view>

#include "sim/base/check.h"
#include "sim/schedule/kernel.h"
#include "sim/schedule/op.h"
#include "sim/schedule/schedule.h"

namespace heddle::schedule {
namespace {

template <std::size_t N, typename Enum>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  HEDDLE_CHECK(index < N, "enumerator without a name");
  return names[index];
}

}  // namespace

std::string_view to_string(OpKind kind) {
  static constexpr std::array<std::string_view, 9> kNames{
      "compute", "collective", "alloc", "free", "record", "wait", "host_wait", "host_work", "mark"};
  return name_of(kNames, kind);
}

std::string_view to_string(StreamKind kind) {
  static constexpr std::array<std::string_view, kStreamCount> kNames{"compute", "gather", "reduce",
                                                                     "replicate"};
  return name_of(kNames, kind);
}

std::string_view to_string(Phase phase) {
  static constexpr std::array<std::string_view, kPhaseCount> kNames{
      "init", "forward", "loss", "backward", "reduction", "optimizer", "step_end"};
  return name_of(kNames, phase);
}

std::string_view to_string(MemoryCategory category) {
  static constexpr std::array<std::string_view, kCategoryCount> kNames{
      "parameters",    "gradients", "optimizer", "activations", "gathered_parameters",
      "communication", "workspace", "temporary", "framework"};
  return name_of(kNames, category);
}

std::string_view to_string(DType dtype) {
  static constexpr std::array<std::string_view, kDTypeCount> kNames{"fp32", "tf32", "bf16", "fp16",
                                                                    "fp8"};
  return name_of(kNames, dtype);
}

std::int64_t byte_size(DType dtype) {
  if (dtype == DType::kFloat8) return 1;
  return dtype == DType::kFloat32 || dtype == DType::kTensorFloat32 ? 4 : 2;
}

std::string_view to_string(KernelKind kind) {
  static constexpr std::array<std::string_view, 3> kNames{"gemm", "attention", "memory"};
  return name_of(kNames, kind);
}

std::string_view to_string(CollectiveKind kind) {
  static constexpr std::array<std::string_view, kCollectiveKinds.size()> kNames{
      "all_reduce", "all_gather", "reduce_scatter", "broadcast",
      "reduce",     "all_to_all", "send_recv"};
  return name_of(kNames, kind);
}

}  // namespace heddle::schedule

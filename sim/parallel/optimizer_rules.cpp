#include "sim/parallel/optimizer_rules.h"

#include <string_view>

#include "sim/base/check.h"

namespace heddle::parallel {
namespace {

constexpr std::int64_t kSmallestIn8bit = 4096;    // elements, bitsandbytes min_8bit_size
constexpr std::int64_t kSmallestPaged = 100'000;  // elements, get_state_buffer
constexpr std::int64_t kBlock = 256;              // elements per maximum
constexpr Bytes kStepCount{4};                    // a scalar fp32 tensor
constexpr Bytes k8bitTables{2 * 256 * 4};

/// One line of the table. Passes without a kernel of its own refuse it in optimizer_problem().
struct Rule {
  OptimizerKind kind;
  std::string_view name;
  StepPasses foreach, fused, for_loop;
};

constexpr Rule kRules[] = {
    {OptimizerKind::kAdamW, "adam", {8, 6, 14, 1}, {1, 3, 4, 0}, {8, 6, 14, 2}},
    {OptimizerKind::kSgd, "sgd", {1, 3, 0, 0}, {1, 3, 0, 0}, {1, 3, 0, 0}},
    {OptimizerKind::kMomentum, "momentum", {3, 3, 5, 0}, {1, 3, 2, 0}, {3, 3, 5, 0}},
    {OptimizerKind::kAdafactor, "adafactor", {}, {}, {11, 6, 11, 1, 2}},
    {OptimizerKind::kAdamW8bit, "adam 8-bit", {1, 3, 4, 0}, {}, {}},
    {OptimizerKind::kPagedAdamW8bit, "paged adam 8-bit", {1, 3, 4, 0}, {}, {}},
};
constexpr StepPasses kAdafactorVector{9, 5, 14, 2, 2};

const Rule& rule_of(OptimizerKind kind) {
  for (const Rule& rule : kRules) {
    if (rule.kind == kind) return rule;
  }
  HEDDLE_CHECK(false, "every kind of optimizer has its line");
  return kRules[0];
}

bool is_8bit(OptimizerKind kind) {
  return kind == OptimizerKind::kAdamW8bit || kind == OptimizerKind::kPagedAdamW8bit;
}

const StepPasses& passes_of(const Rule& rule, OptimizerKernel kernel) {
  if (kernel == OptimizerKernel::kFused) return rule.fused;
  return kernel == OptimizerKernel::kForLoop ? rule.for_loop : rule.foreach;
}

std::int64_t moment_bytes(const OptimizerWork& work, const OptimizerTensor& tensor) {
  if (is_8bit(work.spec.kind)) return tensor.elements < kSmallestIn8bit ? 4 : 1;
  if (work.spec.states == StateType::kFloat32) return 4;
  return work.spec.states == StateType::kBFloat16 ? 2 : work.element_bytes;
}

std::vector<StateTensor> adam_states(const OptimizerWork& work, const OptimizerTensor& tensor) {
  const Bytes moment{moment_bytes(work, tensor) * tensor.elements};
  std::vector<StateTensor> states{{"exp_avg", moment}, {"exp_avg_sq", moment}};
  if (work.spec.kernel == OptimizerKernel::kFused || work.spec.capturable) {
    states.push_back({"step count", kStepCount});
  }
  return states;
}

std::vector<StateTensor> states_in_8bit(const OptimizerWork& work, const OptimizerTensor& tensor) {
  const Bytes moment{moment_bytes(work, tensor) * tensor.elements};
  const bool paged =
      work.spec.kind == OptimizerKind::kPagedAdamW8bit && tensor.elements >= kSmallestPaged;
  std::vector<StateTensor> states{{"exp_avg", moment, paged}, {"exp_avg_sq", moment, paged}};
  if (tensor.elements < kSmallestIn8bit) return states;
  const Bytes maxima{4 * ((tensor.elements + kBlock - 1) / kBlock)};
  states.push_back({"block maxima", maxima});
  states.push_back({"block maxima", maxima});
  return states;
}

std::vector<StateTensor> adafactor_states(const OptimizerWork& work,
                                          const OptimizerTensor& tensor) {
  const std::int64_t element = moment_bytes(work, tensor);
  if (tensor.columns == 0) return {{"variance", {element * tensor.elements}}};
  return {{"row variance", {element * (tensor.elements / tensor.columns)}},
          {"column variance", {element * tensor.columns}}};
}

}  // namespace

StepPasses step_passes(const OptimizerSpec& spec, const OptimizerTensor& tensor) {
  if (spec.kind == OptimizerKind::kAdafactor && tensor.columns == 0) return kAdafactorVector;
  StepPasses passes = passes_of(rule_of(spec.kind), spec.kernel);
  if (spec.capturable && spec.kernel != OptimizerKernel::kFused) {  // one more division of t
    ++passes.passes;
    passes.states += 2;
  }
  return passes;
}

bool steps_tensor_by_tensor(const OptimizerSpec& spec) {
  return spec.kernel == OptimizerKernel::kForLoop || is_8bit(spec.kind);
}

std::string step_name(const OptimizerSpec& spec) {
  const std::string name(rule_of(spec.kind).name);
  if (is_8bit(spec.kind)) return name;
  if (spec.kernel == OptimizerKernel::kFused) return name + " fused";
  return name + (spec.kernel == OptimizerKernel::kForLoop ? " for-loop" : " foreach");
}

std::vector<StateTensor> state_tensors(const OptimizerWork& work, const OptimizerTensor& tensor) {
  switch (work.spec.kind) {
    case OptimizerKind::kAdamW:
      return adam_states(work, tensor);
    case OptimizerKind::kSgd:
      return {};
    case OptimizerKind::kMomentum:
      return {{"momentum", {moment_bytes(work, tensor) * tensor.elements}}};
    case OptimizerKind::kAdafactor:
      return adafactor_states(work, tensor);
    case OptimizerKind::kAdamW8bit:
    case OptimizerKind::kPagedAdamW8bit:
      return states_in_8bit(work, tensor);
  }
  return {};
}

Bytes state_access(const OptimizerWork& work, const OptimizerTensor& tensor) {
  return {moment_bytes(work, tensor) * tensor.elements};
}

Bytes shared_state(const OptimizerSpec& spec) {
  return is_8bit(spec.kind) ? k8bitTables : Bytes{};
}

std::string optimizer_problem(const OptimizerSpec& spec) {
  if (spec.kind == OptimizerKind::kAdafactor && spec.kernel != OptimizerKernel::kForLoop) {
    return "adafactor is modelled tensor by tensor, its default in torch and the only way in "
           "transformers; set optimizer.kernel to \"for_loop\"";
  }
  if (is_8bit(spec.kind) && spec.kernel != OptimizerKernel::kForeach) {
    return "8-bit AdamW has one implementation; leave out optimizer.kernel";
  }
  if (is_8bit(spec.kind) && spec.states != StateType::kAsWeights) {
    return "8-bit AdamW keeps its moments in 8 bits; leave out optimizer.states";
  }
  if (spec.capturable && spec.kind != OptimizerKind::kAdamW) {
    return "capturable is modelled for adamw only";
  }
  return "";
}

}  // namespace heddle::parallel

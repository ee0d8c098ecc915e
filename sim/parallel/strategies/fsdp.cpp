#include "sim/parallel/strategies/fsdp.h"

#include <utility>

#include "sim/parallel/strategies/all.h"
#include "sim/parallel/strategies/fsdp_groups.h"

namespace heddle::parallel {

std::vector<FsdpUnit> fsdp_units(const model::ModelGraph& graph, FsdpWrap wrap) {
  std::vector<FsdpUnit> units(1);
  FsdpUnit head;
  for (std::size_t m = 0; m < graph.modules.size(); ++m) {
    const model::Module& module = graph.modules[m];
    const bool is_layer = module.kind == model::ModuleKind::kLayer;
    const bool is_tail = !is_layer && module.kind != model::ModuleKind::kEmbedding;
    if (is_layer) units.emplace_back();
    FsdpUnit& unit = is_layer                                            ? units.back()
                     : is_tail && wrap == FsdpWrap::kEmbeddingLayersHead ? head
                                                                         : units.front();
    unit.modules.push_back(m);
    for (const model::ParamTensor& p : module.params) {
      unit.numel += p.numel();
      unit.trained += p.trainable ? p.numel() : 0;
    }
  }
  if (!head.modules.empty()) units.push_back(std::move(head));
  return units;
}

std::vector<std::size_t> fsdp_unit_of_module(const std::vector<FsdpUnit>& units,
                                             std::size_t modules) {
  std::vector<std::size_t> unit_of(modules);
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const std::size_t m : units[u].modules) unit_of[m] = u;
  }
  return unit_of;
}

namespace {

std::int64_t element_bytes(CastType type, std::int64_t otherwise) {
  if (type == CastType::kAuto) return otherwise;
  return type == CastType::kFloat32 ? 4 : 2;
}

class Fsdp final : public Strategy {
 public:
  explicit Fsdp(bool version2) : version2_(version2) {}
  std::string refusal(const PlanInput& input) const override {
    return version2_ ? fsdp2_refusal(input) : fsdp1_refusal(input);
  }
  std::vector<schedule::Communicator> communicators(const PlanInput& input) const override {
    return fsdp_communicators(input);
  }
  std::string caveat(const PlanInput& input) const override {
    const bool is_open = input.options.fsdp.backward_prefetch == BackwardPrefetch::kAuto;
    if (version2_ || !is_open || input.ranks < 2) return "";
    return "FSDP 1 without backward prefetch, as Accelerate sets it up; FullyShardedDataParallel's "
           "own default is options.backward_prefetch \"backward_pre\"";
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    return version2_ ? plan_fsdp2(input) : plan_fsdp1(input);
  }

 private:
  bool version2_;
};

}  // namespace

FsdpTypes fsdp_types(const FsdpOptions& options, model::Precision precision) {
  FsdpTypes types;
  types.master = element_bytes(options.master_dtype, 4);
  types.gather =
      element_bytes(options.param_dtype, precision == model::Precision::kFloat32 ? 4 : 2);
  types.reduce = element_bytes(options.reduce_dtype, types.gather);
  return types;
}

schedule::DType fsdp_dtype(std::int64_t element_bytes) {
  return element_bytes == 2 ? schedule::DType::kBFloat16 : schedule::DType::kFloat32;
}

std::unique_ptr<Strategy> make_fsdp(std::string_view dialect) {
  return std::make_unique<Fsdp>(dialect == "fsdp2");
}

}  // namespace heddle::parallel

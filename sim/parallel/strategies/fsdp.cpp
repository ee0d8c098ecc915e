#include "sim/parallel/strategies/fsdp.h"

#include <utility>

#include "sim/parallel/strategies/all.h"
#include "sim/parallel/training_support.h"

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
    unit.numel += module.numel();
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

std::int64_t fsdp_gather_bytes(model::Precision precision) {
  return precision == model::Precision::kFloat32 ? 4 : 2;
}

schedule::DType fsdp_gather_dtype(std::int64_t gather_bytes) {
  return gather_bytes == 2 ? schedule::DType::kBFloat16 : schedule::DType::kFloat32;
}

namespace {

class Fsdp final : public Strategy {
 public:
  explicit Fsdp(bool version2) : version2_(version2) {}
  std::string refusal(const PlanInput& input) const override {
    if (input.options.fsdp != FsdpOptions{}) return "options of FSDP are not modelled";
    return unsupported(input.training, {.every_optimizer = true}, "FSDP");
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    return version2_ ? plan_fsdp2(input) : plan_fsdp1(input);
  }

 private:
  bool version2_;
};

}  // namespace

std::unique_ptr<Strategy> make_fsdp(std::string_view dialect) {
  return std::make_unique<Fsdp>(dialect == "fsdp2");
}

}  // namespace heddle::parallel

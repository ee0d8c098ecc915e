#include "sim/parallel/strategies/deepspeed.h"

#include "sim/parallel/strategies/all.h"

namespace heddle::parallel {
namespace {

class Zero final : public Strategy {
 public:
  explicit Zero(int stage) : stage_(stage) {}
  std::string refusal(const model::ModelGraph& graph) const override {
    if (graph.precision == model::Precision::kBFloat16) return "";
    return "DeepSpeed is modelled with bf16 weights only; set training.precision to \"bf16\"";
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    return stage_ == 3 ? plan_zero3(input) : plan_zero12(input, stage_ == 2);
  }

 private:
  int stage_;
};

}  // namespace

std::unique_ptr<Strategy> make_zero1(std::string_view) {
  return std::make_unique<Zero>(1);
}
std::unique_ptr<Strategy> make_zero2(std::string_view) {
  return std::make_unique<Zero>(2);
}
std::unique_ptr<Strategy> make_zero3(std::string_view) {
  return std::make_unique<Zero>(3);
}

}  // namespace heddle::parallel

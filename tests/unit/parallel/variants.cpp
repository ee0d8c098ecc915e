#include "tests/unit/parallel/variants.h"

namespace heddle::parallel::testing {
namespace {

struct Variant {
  std::string name;
  void (*change)(Setting& setting);
  std::string dialect = {};  // "": whichever models it
  std::int64_t reduced_bytes = 2;
};

std::vector<Variant> training_variants() {
  return {
      {"plain", [](Setting&) {}},
      {"clipped", [](Setting& s) { s.training.gradient_clipping = true; }},
      {"zeroed", [](Setting& s) { s.training.zero_to_none = false; }},
      {"fused", [](Setting& s) { s.training.optimizer.kernel = OptimizerKernel::kFused; }},
      {"sgd", [](Setting& s) { s.training.optimizer.kind = OptimizerKind::kSgd; }},
      {"in_backward", [](Setting& s) { s.training.optimizer.in_backward = true; }},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }, "pytorch"},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }, "pytorch-ddp"},
  };
}

std::vector<Variant> dialect_variants() {
  return {
      {"view", [](Setting& s) { s.options.ddp.gradient_as_bucket_view = true; }, "pytorch-ddp"},
      {"view_zeroed",
       [](Setting& s) {
         s.options.ddp.gradient_as_bucket_view = true;
         s.training.zero_to_none = false;
       },
       "pytorch-ddp"},
      {"static", [](Setting& s) { s.options.ddp.static_graph = true; }, "pytorch-ddp"},
      {"small_buckets", [](Setting& s) { s.options.ddp.bucket_cap_mb = 1; }, "pytorch-ddp"},
  };
}

std::vector<Variant> variants() {
  std::vector<Variant> all = training_variants();
  for (Variant& v : dialect_variants()) all.push_back(std::move(v));
  return all;
}

void add_cases(const StrategyEntry& entry, const std::string& dialect, const Variant& variant,
               std::vector<Case>& cases) {
  if (!variant.dialect.empty() && variant.dialect != dialect) return;
  for (const int ranks : {1, 2, 4, 7}) {
    Case c{entry.name, dialect, variant.name, {}, variant.reduced_bytes};
    variant.change(c.setting);
    c.setting.ranks = ranks;
    if (refusal(entry.name, dialect, c.setting).empty()) cases.push_back(std::move(c));
  }
}

}  // namespace

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const StrategyEntry& entry : strategies()) {
    for (const std::string& dialect : entry.dialects) {
      for (const Variant& variant : variants()) add_cases(entry, dialect, variant, cases);
    }
  }
  return cases;
}

std::string case_name(const Case& c) {
  std::string name = c.strategy + "_" + c.dialect + "_" + c.variant;
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name + "_" + std::to_string(c.setting.ranks);
}

}  // namespace heddle::parallel::testing

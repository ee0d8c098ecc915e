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
      {"tied", [](Setting& s) { s.spec.tied_embeddings = true; }},
      {"frozen", [](Setting& s) { s.only_queries_train = true; }, "pytorch", 0},
      {"frozen", [](Setting& s) { s.only_queries_train = true; }, "pytorch-ddp", 0},
      {"frozen", [](Setting& s) { s.only_queries_train = true; }, "fsdp2", 0},
      {"frozen", [](Setting& s) { s.only_queries_train = true; }, "megatron", 0},
      {"frozen",
       [](Setting& s) {
         s.only_queries_train = true;
         s.options.fsdp.use_orig_params = true;
       },
       "fsdp1", 0},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }, "pytorch"},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }, "pytorch-ddp"},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }, "fsdp1", 3 * 2},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }, "fsdp2", 3 * 2},
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

/// Both versions of FSDP; what one lacks it refuses.
std::vector<Variant> fsdp_variants() {
  std::vector<Variant> all{
      {"grad_op", [](Setting& s) { s.options.fsdp.sharding_strategy = FsdpSharding::kGradOp; }},
      {"no_shard", [](Setting& s) { s.options.fsdp.sharding_strategy = FsdpSharding::kNone; }},
      {"unlimited", [](Setting& s) { s.options.fsdp.limit_all_gathers = false; }},
      {"pre", [](Setting& s) { s.options.fsdp.backward_prefetch = BackwardPrefetch::kPre; }},
      {"post", [](Setting& s) { s.options.fsdp.backward_prefetch = BackwardPrefetch::kPost; }},
      {"ahead", [](Setting& s) { s.options.fsdp.forward_prefetch = true; }},
      {"orig_params", [](Setting& s) { s.options.fsdp.use_orig_params = true; }},
      {"fp32_reduce", [](Setting& s) { s.options.fsdp.reduce_dtype = CastType::kFloat32; }, {}, 4},
      {"pure_bf16", [](Setting& s) { s.options.fsdp.master_dtype = CastType::kBFloat16; }},
      {"fp32", [](Setting& s) { s.precision = model::Precision::kFloat32; }, {}, 4},
      // With two ranks one group and no replicas: hybrid_test.cpp counts bytes.
      {"hybrid",
       [](Setting& s) {
         s.options.fsdp.sharding_strategy = FsdpSharding::kHybrid;
         s.options.fsdp.shard_group = 2;
       },
       {},
       0},
      {"hybrid_grad_op",
       [](Setting& s) {
         s.options.fsdp.sharding_strategy = FsdpSharding::kHybridGradOp;
         s.options.fsdp.shard_group = 2;
         s.options.fsdp.reduce_dtype = CastType::kFloat32;
       },
       {},
       0},
  };
  std::vector<Variant> both;
  for (Variant& v : all) {
    for (const char* dialect : {"fsdp1", "fsdp2"}) {
      v.dialect = dialect;
      both.push_back(v);
    }
  }
  return both;
}

/// Gradients are reduced in fp32 unless stated.
std::vector<Variant> megatron_variants() {
  std::vector<Variant> all{
      {"overlap_reduce", [](Setting& s) { s.options.megatron.overlap_grad_reduce = true; }},
      {"overlap_gather",
       [](Setting& s) {
         s.options.megatron.overlap_grad_reduce = true;
         s.options.megatron.overlap_param_gather = true;
       }},
      {"whole_optimizer", [](Setting& s) { s.options.megatron.use_distributed_optimizer = false; }},
      {"bf16_buffer", [](Setting& s) { s.options.megatron.grad_reduce_in_fp32 = false; }},
      {"accumulated", [](Setting& s) { s.training.accumulation = 3; }},
  };
  for (Variant& v : all) {
    v.dialect = "megatron";
    v.reduced_bytes = v.name == "bf16_buffer" ? 2 : 4;
  }
  return all;
}

std::vector<Variant> variants() {
  std::vector<Variant> all = training_variants();
  for (Variant& v : dialect_variants()) all.push_back(std::move(v));
  for (Variant& v : fsdp_variants()) all.push_back(std::move(v));
  for (Variant& v : megatron_variants()) all.push_back(std::move(v));
  return all;
}

void add_cases(const StrategyEntry& entry, const std::string& dialect, const Variant& variant,
               std::vector<Case>& cases) {
  if (!variant.dialect.empty() && variant.dialect != dialect) return;
  for (const int ranks : {1, 2, 4, 7}) {
    Case c{entry.name, dialect, variant.name, {}, variant.reduced_bytes};
    if (dialect == "megatron" && variant.dialect.empty()) c.reduced_bytes = 4;
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

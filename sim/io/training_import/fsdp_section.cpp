#include "sim/io/training_import/fsdp_section.h"

#include <fmt/format.h>

#include <array>

#include "sim/io/scenario_words.h"

namespace heddle::io {
namespace {

using parallel::BackwardPrefetch;
using parallel::FsdpOptions;
using parallel::FsdpSharding;

struct ShardingName {
  std::string_view name;
  std::string_view number;  // torch.distributed.fsdp.ShardingStrategy
  FsdpSharding sharding;
};

constexpr std::array<ShardingName, 5> kShardings{{
    {"full_shard", "1", FsdpSharding::kFull},
    {"shard_grad_op", "2", FsdpSharding::kGradOp},
    {"no_shard", "3", FsdpSharding::kNone},
    {"hybrid_shard", "4", FsdpSharding::kHybrid},
    {"hybrid_shard_zero2", "5", FsdpSharding::kHybridGradOp},
}};

class Section {
 public:
  Section(ConfigKeys& keys, const FsdpCaller& caller, TrainingSetup& setup)
      : keys_(keys), caller_(caller), setup_(setup), options_(setup.options.fsdp) {}

  bool read() {
    read_version();
    read_sharding();
    read_prefetch();
    read_flag("forward_prefetch", &FsdpOptions::forward_prefetch, false);
    read_flag("limit_all_gathers", &FsdpOptions::limit_all_gathers, true);
    if (!is_version2()) {
      read_flag("use_orig_params", &FsdpOptions::use_orig_params, caller_.use_orig_params);
    } else {
      keys_.without_effect({key("use_orig_params")});
    }
    read_wrapping();
    keys_.only(key("offload_params"), {"false"}, "offload of FSDP's shards is not modelled",
               "set it to false");
    keys_.without_effect(
        {key("state_dict_type"), key("sync_module_states"), key("cpu_ram_efficient_loading")});
    return read_checkpointing();
  }

 private:
  std::string key(std::string_view name) const { return caller_.prefix + std::string(name); }
  bool is_version2() const { return setup_.dialect == "fsdp2"; }

  void read_version() {
    const auto version = keys_.count(key("version"), 1, 2);
    setup_.strategy = "fsdp";
    setup_.dialect = version == 2 ? "fsdp2" : "fsdp1";
    keys_.decide(key("version"), fmt::format("dialect {}", setup_.dialect),
                 version ? kInFile : "version 1 where none is given");
  }

  void read_sharding() {
    if (const auto text = keys_.word(key("sharding_strategy"))) {
      set_sharding(*text, keys_, key("sharding_strategy"), setup_);
    }
    const auto reshard = keys_.word(key("reshard_after_forward"));
    if (!reshard) return;
    if (*reshard != "true" && *reshard != "false") {  // version 1 in Accelerate 1.6 and later
      set_sharding(*reshard, keys_, key("reshard_after_forward"), setup_);
      return;
    }
    options_.sharding_strategy = *reshard == "true" ? FsdpSharding::kFull : FsdpSharding::kGradOp;
    keys_.decide(key("reshard_after_forward"),
                 fmt::format("sharding_strategy \"{}\"",
                             fsdp_shardings().name_of(options_.sharding_strategy)),
                 kInFile);
  }

  void read_prefetch() {
    const std::string name =
        key(keys_.take(key("backward_prefetch_policy")) ? "backward_prefetch_policy"
                                                        : "backward_prefetch");
    const auto text = keys_.word(name);
    if (is_version2()) return;
    if (!text || *text == "no_prefetch" || *text == "none") {
      options_.backward_prefetch = BackwardPrefetch::kNone;
    } else if (*text == "backward_pre") {
      options_.backward_prefetch = BackwardPrefetch::kPre;
    } else if (*text == "backward_post") {
      options_.backward_prefetch = BackwardPrefetch::kPost;
    } else {
      keys_.refuse(name, fmt::format("\"{:.40}\" is no prefetch policy", *text),
                   "use BACKWARD_PRE, BACKWARD_POST or NO_PREFETCH");
      return;
    }
    keys_.decide(name,
                 fmt::format("backward_prefetch \"{}\"",
                             backward_prefetches().name_of(options_.backward_prefetch)),
                 text ? kInFile : "NO_PREFETCH is the default");
  }

  void read_flag(std::string_view name, bool FsdpOptions::*member, bool otherwise) {
    const auto flag = keys_.flag(key(name));
    options_.*member = flag.value_or(otherwise);
    keys_.decide(key(name), fmt::format("{} {}", name, options_.*member),
                 flag ? kInFile : caller_.launcher);
  }

  bool read_checkpointing() {
    const auto on = keys_.flag(key("activation_checkpointing"));
    if (on == true) {
      keys_.decide(key("activation_checkpointing"), "checkpointing \"full\"", kInFile);
    } else if (on) {
      keys_.decide(key("activation_checkpointing"), "nothing", kInFile);
    }
    return on == true;
  }

  /// One unit per layer is what is modelled.
  void read_wrapping() {
    const auto policy = keys_.word(key("auto_wrap_policy"));
    if (!caller_.wraps && policy.value_or("no_wrap") == "no_wrap") {
      refuse_one_unit(keys_, key("auto_wrap_policy"));
      return keys_.without_effect({key("min_num_params"), key("transformer_layer_cls_to_wrap")});
    }
    keys_.only(key("auto_wrap_policy"), {"transformer_based_wrap"},
               "units other than the model's layers are not modelled",
               "use TRANSFORMER_BASED_WRAP");
    keys_.only(key("min_num_params"), {"0", "0.0"},
               "units other than the model's layers are not modelled",
               "use TRANSFORMER_BASED_WRAP");
    keys_.without_effect({key("transformer_layer_cls_to_wrap")});
  }

  ConfigKeys& keys_;
  const FsdpCaller& caller_;
  TrainingSetup& setup_;
  FsdpOptions& options_;
};

}  // namespace

bool set_sharding(const std::string& text, ConfigKeys& keys, std::string_view key,
                  TrainingSetup& setup) {
  for (const ShardingName& known : kShardings) {
    if (text != known.name && text != known.number) continue;
    setup.options.fsdp.sharding_strategy = known.sharding;
    keys.decide(key,
                fmt::format("sharding_strategy \"{}\"", fsdp_shardings().name_of(known.sharding)),
                kInFile);
    return true;
  }
  keys.refuse(key, fmt::format("\"{:.40}\" is no sharding strategy", text),
              "use FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD or HYBRID_SHARD_ZERO2");
  return false;
}

void refuse_one_unit(ConfigKeys& keys, std::string_view key) {
  keys.refuse(key, "not modelled: one unit for the whole model",
              "give auto_wrap (Trainer) or TRANSFORMER_BASED_WRAP (Accelerate): a unit per layer");
}

void refuse_no_sync(ConfigKeys& keys, std::string_view key, std::string_view hint) {
  keys.refuse(key,
              "FSDP under no_sync, which keeps the whole model's gradients until the last "
              "micro-batch, is not modelled",
              hint);
}

bool read_fsdp_section(ConfigKeys& keys, const FsdpCaller& caller, TrainingSetup& setup) {
  return Section(keys, caller, setup).read();
}

}  // namespace heddle::io

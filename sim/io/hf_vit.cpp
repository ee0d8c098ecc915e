#include "sim/io/hf_vit.h"

#include <fmt/format.h>

#include "sim/io/hf_limits.h"

namespace heddle::io {
namespace {

void refuse_variants(HfFields& fields) {
  fields.only_text("hidden_act", "gelu", "saved activations are those of GELU");
  for (const char* key : {"hidden_dropout_prob", "attention_probs_dropout_prob"}) {
    fields.only_number(key, 0, "dropout is not modelled");
  }
  const auto loss = fields.present("problem_type");
  const auto name = loss ? loss->as_string(fields.diagnostics()) : std::nullopt;
  if (name && *name != "single_label_classification") {
    fields.inconsistent("problem_type", fmt::format("the loss of \"{}\" is not modelled", *name),
                        "only single_label_classification is");
  }
}

/// num_labels, or the entries of id2label; there is no sensible default.
std::int64_t classes(HfFields& fields) {
  constexpr std::int64_t kMinClasses = 2;  // one label means a regression loss
  constexpr std::int64_t kMaxClasses = 1 << 20;
  const std::optional<Value> labels = fields.present("id2label");
  fields.present("label2id");
  const std::optional<Value> count = fields.present("num_labels");
  if (count) return count->as_integer(kMinClasses, kMaxClasses, fields.diagnostics()).value_or(0);
  if (labels) return static_cast<std::int64_t>(labels->keys().size());
  return fields.integer("num_labels", kMinClasses, kMaxClasses);  // says that it is missing
}

void check(HfFields& fields, const model::ModelSpec& spec) {
  if (spec.heads > 0 && spec.hidden % spec.heads != 0) {
    fields.inconsistent("num_attention_heads", fmt::format("{} heads do not divide hidden_size {}",
                                                           spec.heads, spec.hidden));
  }
  if (spec.patch_size > 0 && spec.position_image_size % spec.patch_size != 0) {
    fields.inconsistent("image_size",
                        fmt::format("{} pixels are no whole number of {}-pixel patches",
                                    spec.position_image_size, spec.patch_size));
  }
}

void read_dinov2(HfFields& fields, model::ModelSpec& spec) {
  constexpr std::int64_t kMaxRatio = 64;
  spec.vit_kind = model::VitKind::kDinov2;
  spec.ffn = spec.hidden * fields.integer("mlp_ratio", 1, kMaxRatio);
  spec.layer_scale = true;  // every DINOv2 layer has two
  spec.mask_token = fields.flag_or("use_mask_token", true, "default of transformers for dinov2");
  fields.only("use_swiglu_ffn", false, "the giant model's SwiGLU layers are not modelled");
  fields.only_number("drop_path_rate", 0, "dropout is not modelled");
}

}  // namespace

void read_hf_vit(std::string_view model_type, HfFields& fields, model::ModelSpec& spec) {
  constexpr std::int64_t kMaxPatch = 1024;
  constexpr std::int64_t kMaxChannels = 64;
  spec.family = model::Family::kVit;
  spec.hidden = fields.integer("hidden_size", 1, kMaxWidth);
  spec.layers = fields.integer("num_hidden_layers", 1, kMaxLayers);
  spec.heads = fields.integer("num_attention_heads", 1, kMaxHeads);
  spec.position_image_size = fields.integer("image_size", 1, kMaxImage);
  spec.patch_size = fields.integer("patch_size", 1, kMaxPatch);
  spec.channels = fields.integer("num_channels", 1, kMaxChannels);
  spec.classes = classes(fields);
  spec.kv_heads = spec.heads;
  spec.head_dim = spec.heads > 0 ? spec.hidden / spec.heads : 0;
  spec.qkv_bias = fields.flag_or("qkv_bias", true, "default of transformers");
  refuse_variants(fields);
  if (model_type == "dinov2") {
    read_dinov2(fields, spec);
  } else {
    spec.ffn = fields.integer("intermediate_size", 1, kMaxWidth);
  }
  check(fields, spec);
  spec.image_size = spec.position_image_size;
  spec.derived.push_back({"training image size", fmt::format("{}", spec.image_size),
                          "image_size of config.json, the position table's"});
}

}  // namespace heddle::io

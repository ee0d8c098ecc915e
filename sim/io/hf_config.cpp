#include "sim/io/hf_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sim/base/nearest_name.h"
#include "sim/io/hf_decoder.h"
#include "sim/io/hf_fields.h"
#include "sim/io/hf_limits.h"
#include "sim/io/hf_mpt.h"
#include "sim/io/hf_text.h"
#include "sim/io/hf_vit.h"
#include "sim/io/json_document.h"
#include "sim/io/scenario_reader.h"

namespace heddle::io {
namespace {

struct Architecture {
  std::string_view model_type;
  std::string_view name;
};

constexpr std::array<Architecture, 15> kArchitectures{{{"mistral", "MistralForCausalLM"},
                                                       {"llama", "LlamaForCausalLM"},
                                                       {"qwen2", "Qwen2ForCausalLM"},
                                                       {"qwen3", "Qwen3ForCausalLM"},
                                                       {"gemma", "GemmaForCausalLM"},
                                                       {"gpt2", "GPT2LMHeadModel"},
                                                       {"gpt_neox", "GPTNeoXForCausalLM"},
                                                       {"phi", "PhiForCausalLM"},
                                                       {"mpt", "MPTForCausalLM"},
                                                       {"bert", "BertForSequenceClassification"},
                                                       {"bert", "BertModel"},
                                                       {"vit", "ViTForImageClassification"},
                                                       {"vit", "ViTModel"},
                                                       {"dinov2", "Dinov2ForImageClassification"},
                                                       {"dinov2", "Dinov2Model"}}};

std::vector<std::string> model_types() {
  std::vector<std::string> types;
  for (const Architecture& known : kArchitectures) types.emplace_back(known.model_type);
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

std::vector<std::string> architectures_of(std::string_view model_type) {
  std::vector<std::string> names;
  for (const Architecture& known : kArchitectures) {
    if (known.model_type == model_type) names.emplace_back(known.name);
  }
  return names;
}

/// "" after a diagnostic.
std::string read_model_type(ObjectReader& object, Diagnostics& out) {
  const std::optional<Value> value = object.required("model_type");
  const std::optional<std::string> type = value ? value->as_string(out) : std::nullopt;
  if (!type) return "";
  if (!architectures_of(*type).empty()) return *type;
  if (object.optional("num_local_experts") || object.optional("num_experts")) {
    value->error("unsupported-model",
                 fmt::format("model type \"{}\" has experts: they are not modelled", *type),
                 "take a dense model", out);
    return "";
  }
  value->error("unsupported-model", fmt::format("model type \"{}\" is not supported", *type),
               suggest_name(*type, model_types()), out);
  return "";
}

void check_architectures(std::string_view model_type, HfFields& fields) {
  const std::optional<Value> list = fields.present("architectures");
  if (!list) return;
  const std::vector<std::string> known = architectures_of(model_type);
  const std::vector<Value> items = list->items(fields.diagnostics());
  if (list->kind() == JsonKind::kArray && items.empty()) {
    list->error("unsupported-model", "no architecture is named",
                fmt::format("leave the key out, or name {}", fmt::join(known, " or ")),
                fields.diagnostics());
  }
  for (const Value& item : items) {
    const auto name = item.as_string(fields.diagnostics());
    if (!name || std::find(known.begin(), known.end(), *name) != known.end()) continue;
    item.error("unsupported-model",
               fmt::format("architecture \"{}\" is not supported with model type \"{}\"", *name,
                           model_type),
               suggest_name(*name, known), fields.diagnostics());
  }
}

void refuse_extensions(HfFields& fields) {
  fields.refuse("quantization_config", "quantized weights have other sizes and kernels",
                "give the config.json of the unquantized model");
  fields.refuse("auto_map", "the model is code of its own, not that of transformers",
                "give the config.json of a model that transformers implements");
  fields.refuse("vision_config", "models of several modalities are not modelled",
                "give the config.json of the text or the image part alone");
}

void read_architecture(std::string_view type, HfFields& fields, model::ModelSpec& spec) {
  if (type == "vit" || type == "dinov2") {
    read_hf_vit(type, fields, spec);
  } else if (type == "mpt") {
    read_hf_mpt(fields, spec);
  } else if (is_hf_text(type)) {
    read_hf_text(type, fields, spec);
  } else {
    read_hf_decoder(type, fields, spec);
  }
}

void note_unused(const ObjectReader& object, Diagnostics& out) {
  const std::vector<std::string> keys = object.unused();
  if (keys.empty()) return;
  const Value& at = object.object();
  out.add({Severity::kNote, "unused-keys", at.file(), at.pointer(), at.line(),
           fmt::format("not used: {}", fmt::join(keys, ", ")), ""});
}

}  // namespace

std::optional<model::ModelSpec> read_hf_config(std::string_view text, const std::string& file,
                                               const std::string& name, Diagnostics& out) {
  const int errors_before = out.error_count();
  const std::optional<JsonDocument> document = JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  ObjectReader object(document->root(), out);
  model::ModelSpec spec;
  spec.name = name;
  HfFields fields(object, spec, out);
  const std::string type = read_model_type(object, out);
  refuse_extensions(fields);
  if (!type.empty()) {
    check_architectures(type, fields);
    read_architecture(type, fields, spec);
  }
  if (out.error_count() > errors_before) return std::nullopt;
  note_unused(object, out);
  return spec;
}

std::string set_training_image_size(model::ModelSpec& spec, std::int64_t pixels,
                                    const std::string& origin) {
  if (spec.family != model::Family::kVit) return "only image models have an image size";
  if (pixels < spec.patch_size || pixels > kMaxImage || pixels % spec.patch_size != 0) {
    return fmt::format("must be a multiple of the patch size {}, at most {}", spec.patch_size,
                       kMaxImage);
  }
  if (spec.vit_kind == model::VitKind::kPlain && pixels != spec.position_image_size) {
    return fmt::format(
        "must be {}, the image_size of config.json: ViT takes another only with "
        "interpolate_pos_encoding, which is not modelled",
        spec.position_image_size);
  }
  spec.image_size = pixels;
  std::erase_if(spec.derived, [](const auto& d) { return d.field == "training image size"; });
  spec.derived.push_back({"training image size", std::to_string(pixels), origin});
  return "";
}

}  // namespace heddle::io

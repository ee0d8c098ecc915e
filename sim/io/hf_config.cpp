#include "sim/io/hf_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sim/base/nearest_name.h"
#include "sim/io/hf_decoder.h"
#include "sim/io/hf_fields.h"
#include "sim/io/hf_limits.h"
#include "sim/io/hf_vit.h"
#include "sim/io/json_document.h"
#include "sim/io/scenario_reader.h"

namespace heddle::io {
namespace {

const std::array<std::string, 4> kModelTypes{"mistral", "llama", "vit", "dinov2"};
const std::array<std::string, 6> kArchitectures{"MistralForCausalLM",           "LlamaForCausalLM",
                                                "ViTForImageClassification",    "ViTModel",
                                                "Dinov2ForImageClassification", "Dinov2Model"};

template <std::size_t N>
bool contains(const std::array<std::string, N>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "" after a diagnostic.
std::string read_model_type(ObjectReader& object, Diagnostics& out) {
  const std::optional<Value> value = object.required("model_type");
  const std::optional<std::string> type = value ? value->as_string(out) : std::nullopt;
  if (!type) return "";
  if (contains(kModelTypes, *type)) return *type;
  value->error("unsupported-model", fmt::format("model type \"{}\" is not supported", *type),
               suggest_name(*type, kModelTypes), out);
  return "";
}

void check_architectures(HfFields& fields) {
  const std::optional<Value> list = fields.present("architectures");
  if (!list) return;
  for (const Value& item : list->items(fields.diagnostics())) {
    const auto name = item.as_string(fields.diagnostics());
    if (!name || contains(kArchitectures, *name)) continue;
    item.error("unsupported-model", fmt::format("architecture \"{}\" is not supported", *name),
               suggest_name(*name, kArchitectures), fields.diagnostics());
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
  check_architectures(fields);
  fields.refuse("quantization_config", "quantized weights have other sizes and kernels");
  if (!type.empty()) {
    const bool image = type == "vit" || type == "dinov2";
    image ? read_hf_vit(type, fields, spec) : read_hf_decoder(type, fields, spec);
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

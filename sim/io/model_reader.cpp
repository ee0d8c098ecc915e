#include "sim/io/model_reader.h"

#include <filesystem>

#include "sim/io/hf_config.h"
#include "sim/io/hf_limits.h"

namespace heddle::io {
namespace {

std::optional<model::ModelSpec> read_config(const std::string& config, const std::string& name,
                                            const Value& at, ScenarioFiles& files,
                                            Diagnostics& out) {
  const auto text = files.read(config, at);
  if (!text) return std::nullopt;
  return read_hf_config(*text, files.resolve(config), name, out);
}

void apply_image_size(const Value& value, model::ModelSpec& spec, Diagnostics& out) {
  const auto pixels = value.as_integer(1, kMaxImage, out);
  if (!pixels) return;
  const std::string problem =
      set_training_image_size(spec, *pixels, "image_size of the scenario's model");
  if (problem.empty()) return;
  const bool wrong_model = spec.family != model::Family::kVit;
  value.error(wrong_model ? "not-applicable" : "out-of-range", problem, "", out);
}

/// Fewer layers than the config says: to fit a model's shape on smaller machines.
bool apply_layers(const Value& value, model::ModelSpec& spec, Diagnostics& out) {
  const auto layers = value.as_integer(1, spec.layers, out);
  if (!layers) return false;
  spec.layers = *layers;
  return true;
}

/// "mistral-7b" of "models/mistral-7b/config.json" and of "mistral-7b.json".
std::string name_of(const std::string& config) {
  const std::filesystem::path path(config);
  const std::string stem = path.stem().string();
  const std::string folder = path.parent_path().filename().string();
  return stem == "config" && !folder.empty() && folder != ".." ? folder : stem;
}

}  // namespace

ModelChoice read_model(const Value& object, ScenarioFiles& files, Diagnostics& out) {
  ScenarioFields fields(object, out);
  ModelChoice model;
  const bool is_named = fields.optional("name").has_value();
  std::string name = is_named ? fields.text("name") : "";
  model.config = fields.text("config");
  if (!is_named) name = name_of(model.config);
  const auto image_size = fields.optional("image_size");
  const auto layers = fields.optional("layers");
  fields.finish();
  if (!model.config.empty()) {
    model.spec = read_config(model.config, name, *fields.object().member("config"), files, out);
  }
  if (model.spec && image_size) apply_image_size(*image_size, *model.spec, out);
  if (model.spec && layers) model.layers = apply_layers(*layers, *model.spec, out);
  return model;
}

}  // namespace heddle::io

#include "sim/cli/model_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sim/io/file.h"
#include "sim/io/scenario_reader.h"

namespace heddle::cli {
namespace {

std::string family_text(model::Family family) {
  if (family == model::Family::kEncoder) return "encoder";
  return family == model::Family::kDecoder ? "decoder" : "vision transformer";
}

/// The count does not depend on the batch; the shortest sample lays the graph out.
std::int64_t parameters(const model::ModelSpec& spec) {
  const model::BatchShape batch{1, spec.family == model::Family::kVit ? 0 : 2};
  return model::build_model_graph(spec, batch, model::Precision::kBFloat16).param_count();
}

std::string summary(const std::string& file, const std::string& name) {
  Diagnostics problems;
  const auto spec = io::read_hf_config(io::read_file(file), file, name, problems);
  if (!spec) return fmt::format("cannot be used: {}", problems.all().front().message);
  return fmt::format("{}, {} layers, hidden size {}, {} parameters", family_text(spec->family),
                     spec->layers, spec->hidden, parameters(*spec));
}

}  // namespace

std::vector<run::CatalogEntry> list_models(const std::string& folder) {
  std::vector<run::CatalogEntry> models;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::filesystem::path config = entries->path() / "config.json";
    if (!std::filesystem::exists(config)) continue;
    const std::string name = entries->path().filename().string();
    models.push_back({name, summary(config.string(), name)});
  }
  std::sort(models.begin(), models.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return models;
}

}  // namespace heddle::cli

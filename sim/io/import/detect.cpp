#include "sim/io/import/detect.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest_name.h"

namespace heddle::io {
namespace {

std::string commands() {
  std::string text;
  for (const ImporterSpec& spec : importers()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", spec.command);
  }
  return text;
}

}  // namespace

std::vector<std::string> importer_names() {
  std::vector<std::string> names;
  for (const ImporterSpec& spec : importers()) names.emplace_back(spec.name);
  return names;
}

std::vector<std::string> import_kinds() {
  std::vector<std::string> names = importer_names();
  names.emplace_back(kAnyKind);
  return names;
}

const ImporterSpec* find_importer(std::string_view name) {
  const auto table = importers();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const ImporterSpec& spec) { return spec.name == name; });
  return found == table.end() ? nullptr : &*found;
}

const ImporterSpec* detect_importer(std::string_view text) {
  const ImporterSpec* best = nullptr;
  int most = 0;
  for (const ImporterSpec& spec : importers()) {
    const int confidence = spec.confidence(text);
    if (confidence <= most) continue;
    most = confidence;
    best = &spec;
  }
  return best;
}

const ImporterSpec* choose_importer(std::string_view name, std::string_view text,
                                    const std::string& file, Diagnostics& out) {
  if (name != kAnyKind) {
    const ImporterSpec* named = find_importer(name);
    if (named != nullptr) return named;
    out.error("unknown-kind", file, "", 0, fmt::format("unknown kind of import \"{}\"", name),
              suggest_name(name, import_kinds()));
    return nullptr;
  }
  const ImporterSpec* detected = detect_importer(text);
  if (detected == nullptr) {
    out.error("unknown-text", file, "", 0, "this text is no output that can be imported",
              "can be imported: " + commands());
  }
  return detected;
}

}  // namespace heddle::io

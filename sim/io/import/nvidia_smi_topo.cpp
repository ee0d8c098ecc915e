#include "sim/io/import/nvidia_smi_topo.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/io/import/smi_matrix.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

/// "NIC3: mlx5_3" of a legend: the column and what follows, blanks at its ends removed.
struct LegendLine {
  std::string column;
  std::string_view name;
};

std::optional<LegendLine> read_legend_line(std::string_view line) {
  constexpr std::string_view kNic = "NIC";
  for (const PlacedWord& word : placed_words(line)) {
    const std::string_view number = word.text.substr(std::min(kNic.size(), word.text.size()));
    const bool numbered = number.size() > 1 && number.back() == ':' &&
                          number.find_first_not_of("0123456789") == number.size() - 1;
    if (!word.text.starts_with(kNic) || !numbered) continue;
    std::string_view name = line.substr(word.at + word.text.size());
    while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.remove_prefix(1);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    return LegendLine{std::string(word.text.substr(0, word.text.size() - 1)), name};
  }
  return std::nullopt;
}

void read_legend(const std::vector<PlainLine>& lines, const std::string& file, Imported& imported,
                 Diagnostics& out) {
  int garbled = 0;
  std::vector<ImportedNic> named = imported.nics;
  for (const PlainLine& line : lines) {
    const auto legend = read_legend_line(line.text);
    if (!legend) continue;
    for (std::size_t k = 0; k < named.size(); ++k) {
      if (imported.nics[k].name != legend->column) continue;
      const bool one_word = placed_words(legend->name).size() == 1;
      if (one_word) named[k] = {std::string(legend->name), line.number};
      if (!one_word && garbled == 0) garbled = line.number;
    }
  }
  imported.nics = std::move(named);
  if (garbled == 0) return;
  out.add({Severity::kWarning, "topo-legend", file, "", garbled,
           "the NIC legend is garbled here: names of NICs may be wrong", ""});
}

bool shows_nvlink(const TokenMatrix& matrix) {
  for (const auto& row : matrix) {
    for (const auto& cell : row) {
      if (cell && cell->starts_with("NV")) return true;
    }
  }
  return false;
}

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

/// The command line says so, or a legend explains every word but NV#.
bool printed_by_mp(std::string_view text) {
  if (has(text, "topo -mp") || has(text, "topo --matrix_pci")) return true;
  return has(text, "PIX  = ") && has(text, "X    = Self") && !has(text, "NV#");
}

int confidence(std::string_view text) {
  const auto place = find_smi_table(plain_lines(text), SmiTable::kWiring);
  if (!place) return 0;
  if (!place->has_rows) return has(text, "topo -m") ? 60 : 10;
  return place->header.columns.empty() ? 80 : 95;
}

std::optional<Imported> read_text(std::string_view text, const std::string& file,
                                  Diagnostics& out) {
  const std::vector<PlainLine> lines = plain_lines(text);
  Imported imported;
  if (!read_smi_matrix(lines, SmiTable::kWiring, file, imported, out)) return std::nullopt;
  read_legend(lines, file, imported, out);
  auto details = std::make_shared<NvidiaSmiTopoDetails>();
  details->nvlink_hidden = printed_by_mp(text) && !shows_nvlink(imported.gpu_matrix);
  if (details->nvlink_hidden) {
    out.add({Severity::kWarning, "topo-mp", file, "", 0,
             "`nvidia-smi topo -mp` hides NVLink: these GPUs may have more than PCIe",
             "paste `nvidia-smi topo -m`"});
  }
  imported.details = std::move(details);
  return imported;
}

}  // namespace

void NvidiaSmiTopoDetails::write(JsonWriter& writer) const {
  writer.field("nvlink_hidden", nvlink_hidden);
}

ImporterSpec nvidia_smi_topo_importer() {
  return {ImportKind::kNvidiaSmiTopo, "nvidia-smi-topo", "nvidia-smi topo -m", confidence,
          read_text};
}

}  // namespace heddle::io

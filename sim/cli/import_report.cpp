#include "sim/cli/import_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "sim/cli/text_table.h"
#include "sim/io/import/nvlink_reading.h"
#include "sim/io/json_writer.h"

namespace heddle::cli {
namespace {

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string title(const io::Imported& imported, const io::ImporterSpec& importer,
                  const std::string& file) {
  std::string text = fmt::format("{}: {} ({})", file, importer.name, importer.command);
  if (!imported.gpus.empty()) text += ", " + counted(imported.gpus.size(), "GPU");
  if (!imported.nics.empty()) text += ", " + counted(imported.nics.size(), "NIC");
  return text + "\n";
}

std::string gpu_name(const io::Imported& imported, std::size_t index) {
  return fmt::format("GPU{}", imported.gpus[index].number);
}

std::string matrix_text(const io::Imported& imported) {
  std::vector<Column> columns{{"", "", Align::kLeft}};
  for (std::size_t i = 0; i < imported.gpus.size(); ++i) {
    columns.push_back({gpu_name(imported, i), "", Align::kLeft});
  }
  columns.push_back({"NUMA", "", Align::kLeft});
  columns.push_back({"CPUs", "", Align::kLeft});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < imported.gpu_matrix.size(); ++i) {
    std::vector<std::string> cells{gpu_name(imported, i)};
    for (const auto& cell : imported.gpu_matrix[i]) cells.push_back(cell.value_or("?"));
    cells.push_back(imported.gpus[i].numa.value_or("-"));
    const std::string& cpus = imported.gpus[i].cpu_affinity;
    cells.push_back(cpus.empty() ? "-" : cpus);
    table.add_row(std::move(cells));
  }
  return table.render(2);
}

/// The best word of a column of the GPU-NIC matrix and the GPUs that show it.
std::vector<std::string> nic_row(const io::Imported& imported, std::size_t nic) {
  constexpr std::array<std::string_view, 5> kBestFirst = {"PIX", "PXB", "PHB", "NODE", "SYS"};
  for (const std::string_view word : kBestFirst) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < imported.gpu_nic.size(); ++i) {
      if (imported.gpu_nic[i][nic] == word) names.push_back(gpu_name(imported, i));
    }
    if (names.empty()) continue;
    const bool all = names.size() == imported.gpu_nic.size() && names.size() > 1;
    return {imported.nics[nic].name, std::string(word),
            all ? "all GPUs" : fmt::format("{}", fmt::join(names, " "))};
  }
  return {imported.nics[nic].name, "?", "-"};
}

std::string nic_text(const io::Imported& imported) {
  if (imported.nics.empty() || imported.gpu_nic.empty()) return "";
  TextTable table(
      {{"NIC", "", Align::kLeft}, {"nearest", "", Align::kLeft}, {"to", "", Align::kLeft}});
  for (std::size_t k = 0; k < imported.nics.size(); ++k) table.add_row(nic_row(imported, k));
  return "\n" + table.render(2);
}

std::string island_text(const io::Imported& imported, const std::vector<int>& island) {
  std::vector<int> numbers;
  for (const int at : island) {
    numbers.push_back(imported.gpus[static_cast<std::size_t>(at)].number);
  }
  return fmt::format("{}", fmt::join(numbers, ","));
}

std::string nvlink_text(const io::Imported& imported) {
  const io::NvlinkReading reading = io::read_nvlinks(imported.gpu_matrix, io::known_link_counts());
  if (reading.shape == io::NvlinkShape::kNone) return "\nNVLink: " + reading.why + "\n";
  const bool shared = reading.shape == io::NvlinkShape::kShared && reading.uniform > 0;
  std::string text = fmt::format(
      "\nNVLink: {}, {} links {} per GPU; {}\n", io::to_string(reading.shape),
      shared ? reading.uniform : reading.most, shared ? "into it" : "seen", reading.why);
  for (const std::vector<int>& island : reading.islands) {
    text += fmt::format("  island of GPUs {}\n", island_text(imported, island));
  }
  if (reading.shape == io::NvlinkShape::kAmbiguous) {
    text +=
        "  --gpu MODEL decides: behind NVSwitch as an SXM module, a bridge as a card (NVL, "
        "PCIe)\n";
  }
  return text;
}

std::string remarks_text(const io::Imported& imported, const Diagnostics& found) {
  std::string text;
  for (const io::Inference& i : imported.inferences) {
    text +=
        fmt::format("  concluded: {} = {}, from {} (line {})\n", i.what, i.value, i.from, i.line);
  }
  for (const Diagnostic& d : found.all()) {
    if (d.severity != Severity::kWarning) continue;
    text += d.line > 0 ? fmt::format("  warning: {} (line {})\n", d.message, d.line)
                       : fmt::format("  warning: {}\n", d.message);
  }
  return text.empty() ? "" : "\n" + text;
}

/// What to do with it.
std::string next_text(const std::string& file) {
  return fmt::format(
      "\nNext: heddle import auto {} --gpu MODEL -o node.json (models: heddle list "
      "gpus), then\n  \"import\": \"node.json\" in a fabric of a scenario\n",
      file);
}

std::string details_text(const io::Imported& imported) {
  if (!imported.details) return "";
  io::JsonWriter writer;
  writer.begin_object();
  imported.details->write(writer);
  return "\n" + writer.end_object().take();
}

}  // namespace

std::string import_text(const io::Imported& imported, const io::ImporterSpec& importer,
                        const std::string& file, const Diagnostics& found) {
  std::string text = title(imported, importer, file);
  if (imported.gpu_matrix.empty())
    return text + details_text(imported) + remarks_text(imported, found);
  text += "\n" + matrix_text(imported) + nic_text(imported);
  if (importer.kind == io::ImportKind::kNvidiaSmiP2p) return text + remarks_text(imported, found);
  return text + nvlink_text(imported) + remarks_text(imported, found) + next_text(file);
}

}  // namespace heddle::cli

#include "sim/io/import/rocm_smi.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/rocm_tables.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

int confidence(std::string_view text) {
  if (contains(text, "Link Type between two GPUs")) return 95;
  if (contains(text, "Weight between two GPUs") || contains(text, "Hops between two GPUs")) {
    return 95;
  }
  if (contains(text, "(Topology) Numa")) return 90;
  return contains(text, "ROCm System Management Interface") ? 60 : 0;
}

class Importer {
 public:
  Importer(const RocmText& text, const std::string& file, Diagnostics& out)
      : text_(text), file_(file), out_(out) {}

  std::optional<Imported> import() {
    Imported imported;
    collect_gpus();
    for (const int number : gpus_) imported.gpus.push_back(gpu(number));
    if (text_.type.line > 0) {
      for (const int from : gpus_) imported.gpu_matrix.push_back(types(from));
    } else {
      warn("rocm-no-types", 0, "no table of link types: what joins the GPUs is not known",
           "add the output of `rocm-smi --showtopotype`");
    }
    auto details = std::make_shared<RocmSmiDetails>();
    details->weight = numbers(text_.weight);
    details->hops = numbers(text_.hops);
    imported.details = std::move(details);
    if (failed_) return std::nullopt;
    return imported;
  }

 private:
  void collect_gpus() {
    std::set<int> numbers;
    for (const RocmWords* table : {&text_.type, &text_.weight, &text_.hops}) {
      numbers.insert(table->columns.begin(), table->columns.end());
    }
    for (const auto& [number, numa] : text_.numa) numbers.insert(number);
    gpus_.assign(numbers.begin(), numbers.end());
  }

  ImportedGpu gpu(int number) const {
    ImportedGpu gpu;
    gpu.number = number;
    const auto row = text_.type.rows.find(number);
    if (row != text_.type.rows.end()) gpu.line = row->second.line;
    const auto numa = text_.numa.find(number);
    const bool known = numa != text_.numa.end() && numa->second != "N/A" && numa->second != "-1";
    if (known) gpu.numa = numa->second;
    return gpu;
  }

  /// The cell of a table; null if the text lacks it.
  static const std::string* cell(const RocmWords& table, int from, int to) {
    const auto row = table.rows.find(from);
    const auto column = std::lower_bound(table.columns.begin(), table.columns.end(), to);
    if (row == table.rows.end() || column == table.columns.end() || *column != to) return nullptr;
    return &row->second.cells[static_cast<std::size_t>(column - table.columns.begin())];
  }

  std::vector<std::optional<std::string>> types(int from) {
    std::vector<std::optional<std::string>> row;
    for (const int to : gpus_) {
      const std::string* word = cell(text_.type, from, to);
      row.push_back(word ? type(*word, from, to) : std::nullopt);
    }
    return row;
  }

  std::optional<std::string> type(const std::string& word, int from, int to) {
    const int line = text_.type.rows.at(from).line;
    if (from == to && (word == "0" || word == "X")) return "X";
    if (from != to && (word == "XGMI" || word == "PCIE")) return word;
    if (word == "N/A" || word == "XXXX") {
      warn("rocm-type", line, fmt::format("the link from GPU{} to GPU{} is not told", from, to),
           "the driver did not know it; run rocm-smi as root");
      return std::nullopt;
    }
    fail(line, fmt::format("\"{}\" from GPU{} to GPU{} is no link type", word, from, to),
         "link types are XGMI and PCIE, 0 on the diagonal");
    return std::nullopt;
  }

  RocmTable numbers(const RocmWords& table) {
    RocmTable result;
    if (table.line == 0) return result;
    for (const int from : gpus_) {
      auto& row = result.emplace_back();
      for (const int to : gpus_) {
        const std::string* word = cell(table, from, to);
        row.push_back(word ? number(*word, table.rows.at(from).line) : std::nullopt);
      }
    }
    return result;
  }

  std::optional<int> number(const std::string& word, int line) {
    if (word == "N/A") return std::nullopt;
    if (const auto value = whole_int(word)) return value;
    fail(line, fmt::format("\"{}\" is not a number", word), "weights and hops are whole numbers");
    return std::nullopt;
  }

  void warn(std::string code, int line, std::string message, std::string hint) {
    out_.add({Severity::kWarning, std::move(code), file_, "", line, std::move(message),
              std::move(hint)});
  }

  void fail(int line, std::string message, std::string hint) {
    failed_ = true;
    out_.error("rocm-cell", file_, "", line, std::move(message), std::move(hint));
  }

  const RocmText& text_;
  const std::string& file_;
  Diagnostics& out_;
  std::vector<int> gpus_;
  bool failed_ = false;
};

std::optional<Imported> read(std::string_view text, const std::string& file, Diagnostics& out) {
  const auto tables = read_rocm_text(text, file, out);
  if (!tables) return std::nullopt;
  return Importer(*tables, file, out).import();
}

void write_table(std::string_view name, const RocmTable& table, JsonWriter& writer) {
  if (table.empty()) return;
  writer.key(name).begin_array().inline_from_here();
  for (const auto& row : table) {
    writer.begin_array();
    for (const auto& cell : row) {
      if (cell) {
        writer.value(*cell);
      } else {
        writer.null();
      }
    }
    writer.end_array();
  }
  writer.end_array();
}

}  // namespace

void RocmSmiDetails::write(JsonWriter& writer) const {
  write_table("weight", weight, writer);
  write_table("hops", hops, writer);
}

ImporterSpec rocm_smi_importer() {
  return {ImportKind::kRocmSmi, "rocm-smi", "rocm-smi --showtopo", confidence, read};
}

}  // namespace heddle::io

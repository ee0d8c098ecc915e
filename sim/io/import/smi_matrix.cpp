#include "sim/io/import/smi_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/io/import/smi_affinity.h"

namespace heddle::io {
namespace {

constexpr const char* kHint = "paste the whole output of `nvidia-smi topo`";

using Cells = std::vector<std::optional<std::string>>;

class MatrixReader {
 public:
  MatrixReader(SmiTable table, const std::string& file, Imported& imported, Diagnostics& out)
      : table_(table), file_(file), imported_(imported), out_(out), before_(out.error_count()) {}

  bool read(const std::vector<PlainLine>& lines) {
    auto place = find_smi_table(lines, table_);
    if (!place) {
      error("no-topology-matrix", lines.empty() ? 0 : lines.front().number,
            "no topology matrix here: no line names GPU0, GPU1, ... as columns", kHint);
      return false;
    }
    header_ = std::move(place->header);
    if (!check_size()) return false;
    check_columns();
    prepare();
    for (const PlainLine& line : place->rows) note_ranges(line);
    for (const PlainLine& line : place->rows) read_row(line);
    report_missing();
    if (out_.error_count() == before_) check_mirror();
    return out_.error_count() == before_;
  }

 private:
  /// Before tables of pairs are made.
  bool check_size() {
    const std::size_t most = std::max(header_.gpus.size(), header_.nics.size());
    if (most <= kMaxMachineGpus) return true;
    error("topo-columns", header_.line,
          fmt::format("{} GPUs and {} NICs, at most {} of each in a machine", header_.gpus.size(),
                      header_.nics.size(), kMaxMachineGpus),
          "give the output of one machine");
    return false;
  }

  void check_columns() {
    for (std::size_t i = 1; i < header_.gpus.size(); ++i) {
      if (header_.gpus[i] > header_.gpus[i - 1]) continue;
      error("topo-columns", header_.line,
            fmt::format("column GPU{} is out of order", header_.gpus[i]), kHint);
    }
  }

  void prepare() {
    for (const int number : header_.gpus) {
      imported_.gpus.emplace_back();
      imported_.gpus.back().number = number;
    }
    for (const std::string& name : header_.nics) imported_.nics.push_back({name, header_.line});
    imported_.gpu_matrix.assign(header_.gpus.size(), Cells(header_.gpus.size()));
    imported_.gpu_nic.assign(header_.gpus.size(), Cells(header_.nics.size()));
  }

  /// Ranges of CPUs as other rows print them show where a glued one ends.
  void note_ranges(const PlainLine& line) {
    for (const PlacedWord& word : placed_words(line.text)) {
      if (word.text.find('-') == std::string_view::npos) continue;
      for (const int length : cpu_range_lengths(word.text)) range_lengths_.insert(length);
    }
  }

  void read_row(const PlainLine& line) {
    const auto start = find_smi_row(line.text);
    if (!start) return;
    const auto found = std::find(header_.gpus.begin(), header_.gpus.end(), start->gpu);
    const auto index = static_cast<std::size_t>(found - header_.gpus.begin());
    const bool is_row = is_smi_row(line.text, table_);
    if (found == header_.gpus.end()) {
      if (!is_row) return;
      error("topo-rows", line.number,
            fmt::format("there is a row GPU{}, but no such column", start->gpu), kHint);
      return;
    }
    ImportedGpu& gpu = imported_.gpus[index];
    // Prose that begins with a GPU's name is not a row that has lost its cells.
    const std::size_t words = placed_words(line.text.substr(start->cells_at)).size();
    if (!is_row && (gpu.line != 0 || words < header_.cells())) return;
    read_gpu(line, *start, index, gpu);
  }

  void read_gpu(const PlainLine& line, const SmiRowStart& start, std::size_t index,
                ImportedGpu& gpu) {
    std::size_t at = start.cells_at;
    std::size_t last_cell = at;
    Cells cells;
    const bool repeated = gpu.line != 0;
    if (!repeated) gpu.line = line.number;
    if (!read_cells(line, gpu, at, last_cell, cells)) return;
    if (repeated) {
      check_repeated(line, index, cells);
      return;
    }
    check_diagonal(line, index, cells);
    store(index, cells);
    const int shift = screen_column(line.text, last_cell) - header_.last_cell_column;
    read_affinity(line, at, shift, gpu);
  }

  /// False after a word that is no cell.
  bool read_cells(const PlainLine& line, const ImportedGpu& gpu, std::size_t& at,
                  std::size_t& last_cell, Cells& cells) {
    const std::string_view text = line.text;
    while (cells.size() < header_.cells()) {
      at = text.find_first_not_of(" \t", at);
      if (at == std::string_view::npos) break;
      const std::size_t length = cell_length(text.substr(at), table_);
      if (length == 0) {
        const std::string_view word = text.substr(at, text.find_first_of(" \t", at) - at);
        error("topo-cell", line.number,
              fmt::format("\"{}\" in row GPU{} is not a connection", word, gpu.number),
              explain_cell(word, table_));
        return false;
      }
      cells.emplace_back(text.substr(at, length));
      last_cell = at;
      at += length;
    }
    at = std::min(at, text.size());
    if (cells.size() == header_.cells()) return true;
    warning("topo-truncated", line.number,
            fmt::format("row GPU{} ends after {} of {} cells", gpu.number, cells.size(),
                        header_.cells()));
    cells.resize(header_.cells());
    return true;
  }

  void check_repeated(const PlainLine& line, std::size_t index, const Cells& cells) {
    Cells known = imported_.gpu_matrix[index];
    known.insert(known.end(), imported_.gpu_nic[index].begin(), imported_.gpu_nic[index].end());
    if (known == cells) return;
    error("topo-rows", line.number,
          fmt::format("a second row GPU{} says something else than line {}", header_.gpus[index],
                      imported_.gpus[index].line),
          "keep the output of one machine");
  }

  void check_diagonal(const PlainLine& line, std::size_t index, const Cells& cells) {
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (!cells[j] || (*cells[j] == "X") == (j == index)) continue;
      error("topo-diagonal", line.number,
            fmt::format("row GPU{}: X belongs on the diagonal and only there", header_.gpus[index]),
            "the columns may have slipped: " + std::string(kHint));
      return;
    }
  }

  void store(std::size_t index, const Cells& cells) {
    const auto middle = cells.begin() + static_cast<std::ptrdiff_t>(header_.gpus.size());
    std::copy(cells.begin(), middle, imported_.gpu_matrix[index].begin());
    std::copy(middle, cells.end(), imported_.gpu_nic[index].begin());
  }

  void read_affinity(const PlainLine& line, std::size_t at, int shift, ImportedGpu& gpu) {
    const std::string_view rest = std::string_view(line.text).substr(at);
    const auto words = placed_words(rest, 1);
    if (!words.empty() && is_cell(words.front().text, table_)) {
      error("topo-columns", line.number,
            fmt::format("row GPU{} has more connections than the header has columns ({})",
                        gpu.number, header_.cells()),
            "names of columns may be missing in the header: " + std::string(kHint));
      return;
    }
    SmiAffinity affinity = read_smi_affinity(line.text, at, header_.columns, shift, range_lengths_);
    gpu.cpu_affinity = std::move(affinity.cpu);
    gpu.numa = std::move(affinity.numa);
    gpu.gpu_numa_id = std::move(affinity.gpu_numa_id);
    if (!affinity.surplus.empty()) {
      warning("topo-columns", line.number,
              fmt::format("row GPU{}: \"{}\" is beyond the columns and was left out", gpu.number,
                          affinity.surplus));
    }
    if (affinity.glued.empty()) return;
    imported_.inferences.push_back(
        {fmt::format("NUMA affinity of GPU{}", gpu.number), gpu.numa.value_or("N/A"),
         fmt::format("\"{}\", where columns have run together", affinity.glued), line.number});
  }

  void report_missing() {
    std::vector<std::string> missing;
    for (const ImportedGpu& gpu : imported_.gpus) {
      if (gpu.line == 0) missing.push_back(fmt::format("GPU{}", gpu.number));
    }
    if (missing.empty()) return;
    if (missing.size() == imported_.gpus.size()) {
      if (out_.error_count() == before_) {
        error("topo-truncated", header_.line, "the header is there, but no row of a GPU", kHint);
      }
      return;
    }
    warning("topo-truncated", header_.line,
            fmt::format("the header names {} GPUs, but {} of their rows are missing ({})",
                        imported_.gpus.size(), missing.size(), fmt::join(missing, ", ")));
  }

  void check_mirror() {
    const TokenMatrix& m = imported_.gpu_matrix;
    for (std::size_t i = 0; i < m.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!m[i][j] || !m[j][i] || *m[i][j] == *m[j][i]) continue;
        warning(
            "topo-asymmetric", imported_.gpus[i].line,
            fmt::format("GPU{} sees GPU{} as {}, but the other way it is {}",
                        imported_.gpus[i].number, imported_.gpus[j].number, *m[i][j], *m[j][i]));
      }
    }
  }

  void error(std::string code, int line, std::string message, std::string hint) {
    out_.error(std::move(code), file_, "", line, std::move(message), std::move(hint));
  }

  void warning(std::string code, int line, std::string message) {
    out_.add({Severity::kWarning, std::move(code), file_, "", line, std::move(message), ""});
  }

  SmiTable table_;
  const std::string& file_;
  Imported& imported_;
  Diagnostics& out_;
  int before_;
  SmiHeader header_;
  std::set<int> range_lengths_;
};

}  // namespace

bool read_smi_matrix(const std::vector<PlainLine>& lines, SmiTable table, const std::string& file,
                     Imported& imported, Diagnostics& out) {
  return MatrixReader(table, file, imported, out).read(lines);
}

}  // namespace heddle::io

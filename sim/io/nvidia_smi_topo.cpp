#include "sim/io/nvidia_smi_topo.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/io/topo_lines.h"
#include "sim/io/topo_words.h"

namespace heddle::io {
namespace {

constexpr const char* kHint = "paste the whole output of `nvidia-smi topo -m`";

/// The columns a header line names.
struct Header {
  std::vector<int> gpus;
  std::vector<std::string> nics;
  bool has_cpu_affinity = false;
  bool has_numa_affinity = false;

  std::size_t cells() const { return gpus.size() + nics.size(); }
};

bool is_header(const TextLine& line) {
  const auto first = first_gpu_label(line.words);
  if (!first) return false;
  const std::size_t next = *first + 1;
  return next >= line.words.size() || parse_relation(line.words[next]) == std::nullopt;
}

Header read_header(const TextLine& line) {
  Header header;
  const std::vector<std::string>& words = line.words;
  std::size_t at = first_gpu_label(words).value();
  for (; at < words.size() && gpu_label(words[at]); ++at)
    header.gpus.push_back(*gpu_label(words[at]));
  for (; at < words.size() && words[at] != "CPU" && words[at] != "GPU"; ++at) {
    header.nics.push_back(words[at]);
  }
  header.has_cpu_affinity = at < words.size() && words[at] == "CPU";
  for (; at + 1 < words.size(); ++at) {
    if (words[at] == "NUMA" && words[at + 1] == "Affinity") header.has_numa_affinity = true;
  }
  return header;
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  std::optional<TopoMatrix> read(const std::vector<TextLine>& lines) {
    const auto top = std::find_if(lines.begin(), lines.end(), is_header);
    if (top == lines.end()) {
      fail("no-topology-matrix", lines.empty() ? 0 : lines.front().number,
           "no topology matrix here: no line names GPU0, GPU1, ... as columns", kHint);
      return std::nullopt;
    }
    const int before = out_.error_count();
    header_ = read_header(*top);
    matrix_.nics = header_.nics;
    check_columns(top->number);
    for (auto line = top + 1; line != lines.end() && missing() > 0; ++line) {
      if (line->words.front() == "Legend:") break;
      read_row(*line);
    }
    if (missing() > 0) report_missing(*top);
    if (out_.error_count() == before) check_mirror();
    if (out_.error_count() != before) return std::nullopt;
    return std::move(matrix_);
  }

 private:
  std::size_t missing() const { return header_.gpus.size() - matrix_.gpus.size(); }

  void check_columns(int line) {
    for (std::size_t i = 1; i < header_.gpus.size(); ++i) {
      if (header_.gpus[i] > header_.gpus[i - 1]) continue;
      fail("topo-columns", line, fmt::format("column GPU{} is out of order", header_.gpus[i]),
           kHint);
    }
  }

  void read_row(const TextLine& line) {
    const auto label = first_gpu_label(line.words);
    if (!label) return;
    const int number = *gpu_label(line.words[*label]);
    const int expected = header_.gpus[matrix_.gpus.size()];
    if (number != expected) {
      fail("topo-rows", line.number,
           fmt::format("found a row GPU{} where GPU{} belongs", number, expected), kHint);
      if (number < expected) return;
    }
    TopoGpu gpu{number, line.number, {}, {}, "", std::nullopt};
    const std::vector<std::string> cells(
        line.words.begin() + static_cast<std::ptrdiff_t>(*label) + 1, line.words.end());
    read_cells(cells, gpu);
    check_surplus(cells, gpu);
    read_affinity(cells, gpu);
    matrix_.gpus.push_back(std::move(gpu));
  }

  void read_cells(const std::vector<std::string>& cells, TopoGpu& gpu) {
    for (std::size_t i = 0; i < header_.cells(); ++i) {
      if (i >= cells.size()) {
        fail("topo-truncated", gpu.line,
             fmt::format("row GPU{} ends after {} of {} cells", gpu.number, i, header_.cells()),
             kHint);
        return;
      }
      const std::optional<TopoRelation> relation = parse_relation(cells[i]);
      if (!relation) {
        fail("topo-cell", gpu.line,
             fmt::format("\"{}\" in row GPU{} is not a connection", cells[i], gpu.number),
             explain_cell(cells[i]));
        return;
      }
      (i < header_.gpus.size() ? gpu.to_gpus : gpu.to_nics).push_back(*relation);
    }
  }

  /// More connections than columns: two column names have run together.
  void check_surplus(const std::vector<std::string>& cells, const TopoGpu& gpu) {
    const std::size_t width = header_.cells();
    if (cells.size() <= width || !parse_relation(cells[width])) return;
    fail("topo-columns", gpu.line,
         fmt::format("row GPU{} has more connections than the header has columns ({})", gpu.number,
                     width),
         "column names may have run together in the header");
  }

  void read_affinity(const std::vector<std::string>& cells, TopoGpu& gpu) const {
    std::size_t at = header_.cells();
    if (header_.has_cpu_affinity && at < cells.size()) gpu.cpu_affinity = cells[at++];
    if (header_.has_numa_affinity && at < cells.size()) gpu.numa = leading_number(cells[at]);
  }

  void report_missing(const TextLine& top) {
    const int last = matrix_.gpus.empty() ? top.number : matrix_.gpus.back().line;
    fail("topo-truncated", last,
         fmt::format("the header names {} GPUs, but rows are there for only {}",
                     header_.gpus.size(), matrix_.gpus.size()),
         kHint);
  }

  void check_mirror() {
    const std::vector<TopoGpu>& gpus = matrix_.gpus;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) check_pair(gpus[i], gpus[j], i, j);
    }
  }

  void check_pair(const TopoGpu& row, const TopoGpu& other, std::size_t i, std::size_t j) {
    const bool self = row.to_gpus[j].kind == TopoKind::kSelf;
    if (self != (i == j)) {
      fail("topo-diagonal", row.line,
           fmt::format("GPU{} and GPU{}: X belongs on the diagonal and only there", row.number,
                       other.number),
           "the columns may have slipped: " + std::string(kHint));
    } else if (row.to_gpus[j] != other.to_gpus[i]) {
      fail("topo-asymmetric", row.line,
           fmt::format("GPU{} sees GPU{} as {}, but the other way it is {}", row.number,
                       other.number, to_string(row.to_gpus[j]), to_string(other.to_gpus[i])),
           "a link may be down: check `nvidia-smi nvlink -s`, or correct the text");
    }
  }

  void fail(std::string code, int line, std::string message, std::string hint) {
    out_.error(std::move(code), file_, "", line, std::move(message), std::move(hint));
  }

  const std::string& file_;
  Diagnostics& out_;
  Header header_;
  TopoMatrix matrix_;
};

}  // namespace

std::optional<TopoMatrix> read_nvidia_smi_topo(std::string_view text, const std::string& file,
                                               Diagnostics& out) {
  return Reader(file, out).read(split_terminal_text(text));
}

}  // namespace heddle::io

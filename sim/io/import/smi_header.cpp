#include "sim/io/import/smi_header.h"

#include <algorithm>
#include <cctype>

namespace heddle::io {
namespace {

constexpr std::size_t kLongestPrefix = 8;

bool any_cell(std::string_view word) {
  return is_cell(word, SmiTable::kWiring) || is_cell(word, SmiTable::kP2p);
}

/// Place of the first GPU label among the first words; none behind a cell, for that is a NIC's row.
std::optional<std::size_t> first_gpu(const std::vector<PlacedWord>& words) {
  for (std::size_t i = 0; i < std::min(words.size(), kLongestPrefix); ++i) {
    if (any_cell(words[i].text)) return std::nullopt;
    if (gpu_label(split_labels(words[i].text).front())) return i;
  }
  return std::nullopt;
}

/// NICs are called by a word; rows with broken cells are not headers.
bool may_be_label(std::string_view word) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  return !any_cell(word) && std::all_of(word.begin(), word.end(), in_name);
}

struct Label {
  std::string text;
  int column = 0;
};

std::vector<Label> labels_of(std::string_view line, const std::vector<PlacedWord>& words,
                             std::size_t first) {
  std::vector<Label> labels;
  for (std::size_t i = first; i < words.size(); ++i) {
    int column = screen_column(line, words[i].at);
    for (std::string& label : split_labels(words[i].text)) {
      const int width = static_cast<int>(label.size());
      labels.push_back({std::move(label), column});
      column += width;
    }
  }
  return labels;
}

bool ends_matrix(const std::string& label) {
  return label == "CPU" || label == "NUMA" || label == "GPU";
}

std::optional<SmiColumnKind> column_kind(const std::string& first, const std::string& second) {
  if (first == "CPU" && second == "Affinity") return SmiColumnKind::kCpuAffinity;
  if (first == "NUMA" && second == "Affinity") return SmiColumnKind::kNumaAffinity;
  if (first == "GPU" && second == "NUMA") return SmiColumnKind::kGpuNumaId;
  return std::nullopt;
}

/// Each kind once: whoever places values tries every choice of columns.
void read_columns(const std::vector<Label>& labels, std::size_t at, SmiHeader& header) {
  for (; at + 1 < labels.size(); ++at) {
    const auto kind = column_kind(labels[at].text, labels[at + 1].text);
    const bool known = std::any_of(header.columns.begin(), header.columns.end(),
                                   [&kind](const SmiColumn& c) { return c.kind == kind; });
    if (kind && !known) header.columns.push_back({*kind, labels[at].column});
  }
}

bool starts_legend(const PlainLine& line) {
  return line.text.find("Legend:") != std::string::npos;
}

}  // namespace

std::optional<SmiHeader> read_smi_header(const PlainLine& line) {
  const std::vector<PlacedWord> words = placed_words(line.text);
  const auto first = first_gpu(words);
  if (!first) return std::nullopt;
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(*first);
  if (!std::all_of(begin, words.end(), [](const auto& w) { return may_be_label(w.text); })) {
    return std::nullopt;
  }
  SmiHeader header;
  header.line = line.number;
  const std::vector<Label> labels = labels_of(line.text, words, *first);
  std::size_t at = 0;
  for (; at < labels.size() && gpu_label(labels[at].text); ++at) {
    header.gpus.push_back(*gpu_label(labels[at].text));
  }
  for (; at < labels.size() && !ends_matrix(labels[at].text); ++at) {
    header.nics.push_back(labels[at].text);
  }
  header.last_cell_column = labels[at - 1].column;
  read_columns(labels, at, header);
  return header;
}

std::optional<SmiRowStart> find_smi_row(std::string_view line) {
  const std::vector<PlacedWord> words = placed_words(line, kLongestPrefix + 1);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (any_cell(words[i].text)) return std::nullopt;
    const auto gpu = gpu_label(words[i].text);
    if (gpu) return SmiRowStart{*gpu, words[i + 1].at};
  }
  return std::nullopt;
}

bool is_smi_row(std::string_view line, SmiTable table) {
  const auto start = find_smi_row(line);
  return start && cell_length(line.substr(start->cells_at), table) > 0;
}

std::optional<SmiPlace> find_smi_table(const std::vector<PlainLine>& lines, SmiTable table) {
  std::optional<SmiPlace> first;
  std::optional<SmiPlace> open;
  for (const PlainLine& line : lines) {
    if (open && is_smi_row(line.text, table)) {  // first: glued cells may look like names
      open->has_rows = true;
      open->rows.push_back(line);
    } else if (auto header = read_smi_header(line)) {
      if (open && open->has_rows) return open;
      open = SmiPlace{std::move(*header), {}, false};
      if (!first) first = open;
    } else if (open && starts_legend(line)) {
      if (open->has_rows) return open;
      open.reset();
    } else if (open) {
      open->rows.push_back(line);
    }
  }
  return open && open->has_rows ? open : first;
}

}  // namespace heddle::io

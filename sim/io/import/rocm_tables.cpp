#include "sim/io/import/rocm_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/imported.h"

namespace heddle::io {
namespace {

constexpr const char* kHint = "paste the whole output of `rocm-smi --showtopo`";
constexpr int kMaxGpuNumber = static_cast<int>(kMaxMachineGpus) - 1;

using Words = std::vector<std::string>;

struct Line {
  int number = 0;  // 1-based
  Words words;
};

std::vector<Line> lines_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    Words words;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
      words.emplace_back(line.substr(at, end - at));
      at = line.find_first_not_of(kBlanks, end);
    }
    lines.push_back({number, std::move(words)});
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

std::optional<int> number_between(std::string_view word, std::string_view before,
                                  std::string_view after) {
  if (!word.starts_with(before) || !word.ends_with(after)) return std::nullopt;
  word.remove_prefix(before.size());
  if (word.size() <= after.size()) return std::nullopt;
  word.remove_suffix(after.size());
  return whole_int(word, 0, kMaxGpuNumber);
}

std::optional<int> label(std::string_view word) {
  return number_between(word, "GPU", "");
}

/// Position after the words in a row; none if they are not there.
std::optional<std::size_t> after(const Words& words, const Words& wanted) {
  const auto at = std::search(words.begin(), words.end(), wanted.begin(), wanted.end());
  if (at == words.end()) return std::nullopt;
  return static_cast<std::size_t>(at - words.begin()) + wanted.size();
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  void read(const Line& line) {
    if (read_title(line) || read_numa(line)) return;
    const auto first = std::find_if(line.words.begin(), line.words.end(),
                                    [](const std::string& word) { return label(word); });
    if (first == line.words.end() || !table_) return;
    const Words words(first, line.words.end());
    if (std::all_of(words.begin(), words.end(), [](const auto& word) { return label(word); })) {
      read_header(words, line.number);
    } else if (table_->line > 0) {
      read_row(words, line.number);
    }
  }

  std::optional<RocmText> finish() {
    finish_table();
    const bool any = text_.weight.line + text_.hops.line + text_.type.line > 0;
    if (!any && text_.numa.empty()) {
      fail("rocm-no-table", 0, "no table of links between GPUs and no NUMA node is here");
    }
    if (failed_) return std::nullopt;
    return std::move(text_);
  }

 private:
  /// "==== Hops between two GPUs ====" and the like; other titles end a table.
  bool read_title(const Line& line) {
    const bool title = std::any_of(line.words.begin(), line.words.end(),
                                   [](const auto& word) { return word.starts_with("======"); });
    if (!title) return false;
    finish_table();
    table_ = nullptr;
    if (after(line.words, {"Weight", "between", "two", "GPUs"})) table_ = &text_.weight;
    if (after(line.words, {"Hops", "between", "two", "GPUs"})) table_ = &text_.hops;
    if (after(line.words, {"Link", "Type", "between", "two", "GPUs"})) table_ = &text_.type;
    if (table_ && table_->line > 0) {
      fail("rocm-repeated", line.number, "the same table is here a second time");
      table_ = nullptr;
    }
    return true;
  }

  bool read_numa(const Line& line) {
    const auto node = after(line.words, {"Numa", "Node:"});
    const auto affinity = after(line.words, {"Numa", "Affinity:"});
    if (!node && !affinity) return false;
    const std::size_t at = affinity ? *affinity : *node;
    std::optional<int> gpu;
    for (const std::string& word : line.words) {
      if (!gpu) gpu = number_between(word, "GPU[", "]");
    }
    if (!gpu || at >= line.words.size()) {
      fail("rocm-numa", line.number, "a NUMA line without a GPU or without a value");
    } else if (affinity) {
      text_.numa[*gpu] = line.words[at];
    } else {
      text_.numa.emplace(*gpu, line.words[at]);
    }
    return true;
  }

  void read_header(const Words& words, int line) {
    if (table_->line > 0) return;
    table_->line = line;
    for (const std::string& word : words) table_->columns.push_back(*label(word));
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (table_->columns[i] > table_->columns[i - 1]) continue;
      fail("rocm-columns", line, fmt::format("column {} is out of order", words[i]));
    }
  }

  void read_row(const Words& words, int line) {
    const int gpu = *label(words.front());
    const std::size_t cells = words.size() - 1;
    if (cells != table_->columns.size()) {
      fail(
          "rocm-row", line,
          fmt::format("row GPU{} has {} cells for {} columns", gpu, cells, table_->columns.size()));
      return;
    }
    if (std::count(table_->columns.begin(), table_->columns.end(), gpu) == 0) {
      fail("rocm-row", line, fmt::format("row GPU{} has no column", gpu));
      return;
    }
    const auto [row, fresh] = table_->rows.try_emplace(gpu);
    if (!fresh) {
      fail("rocm-row", line, fmt::format("row GPU{} is also in line {}", gpu, row->second.line));
      return;
    }
    row->second = {line, Words(words.begin() + 1, words.end())};
  }

  void finish_table() {
    if (!table_ || table_->line == 0) return;
    for (const int gpu : table_->columns) {
      if (table_->rows.count(gpu) > 0) continue;
      out_.add({Severity::kWarning, "rocm-truncated", file_, "", table_->line,
                fmt::format("no row GPU{}: its links are not known", gpu), kHint});
    }
  }

  void fail(std::string code, int line, std::string message) {
    failed_ = true;
    out_.error(std::move(code), file_, "", line, std::move(message), kHint);
  }

  const std::string& file_;
  Diagnostics& out_;
  RocmText text_;
  RocmWords* table_ = nullptr;
  bool failed_ = false;
};

}  // namespace

std::optional<RocmText> read_rocm_text(std::string_view text, const std::string& file,
                                       Diagnostics& out) {
  Reader reader(file, out);
  for (const Line& line : lines_of(text)) reader.read(line);
  return reader.finish();
}

}  // namespace heddle::io

#include "sim/io/import/smi_affinity.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sim/base/number_text.h"

namespace heddle::io {
namespace {

constexpr std::string_view kNone = "N/A";
constexpr int kMostCpus = 1'000'000;

struct PlacedValue {
  std::string text;
  int place = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The driver prints "%s\t%s\t\t%s": which field of a row each column is.
int field_of(SmiColumnKind kind) {
  return kind == SmiColumnKind::kGpuNumaId ? 3 : kind == SmiColumnKind::kNumaAffinity ? 1 : 0;
}

/// Where a value stands: the number of tabs before it, or its column on the screen.
std::vector<PlacedValue> values_of(std::string_view line, std::size_t at) {
  const std::string_view rest = line.substr(at);
  const bool tabbed = rest.find('\t') != std::string_view::npos;
  std::vector<PlacedValue> values;
  for (const PlacedWord& word : placed_words(rest)) {
    const std::string_view before = rest.substr(0, word.at);
    const auto tabs = std::count(before.begin(), before.end(), '\t') - 1;  // one ends the matrix
    values.push_back({std::string(word.text),
                      tabbed ? static_cast<int>(tabs) : screen_column(line, at + word.at)});
  }
  return values;
}

/// Length of the ranges of `cpus` if they all ascend and `numa` could be a node's number.
std::vector<int> lengths_if_cut(std::string_view cpus, std::string_view numa) {
  const bool plain = numa == "0" || (!numa.empty() && numa[0] != '0');
  return plain && numa.size() <= 2 ? cpu_range_lengths(cpus) : std::vector<int>{};
}

/// Where "48-95,144-1911" falls apart into CPUs and NUMA node; 0 if that is not certain.
std::size_t cut_of(const std::string& word, const std::set<int>& range_lengths) {
  std::size_t found = 0;
  for (std::size_t at = word.size() - 1; at > 0 && is_digit(word[at]); --at) {
    const auto lengths =
        lengths_if_cut(std::string_view(word).substr(0, at), std::string_view(word).substr(at));
    if (lengths.empty()) continue;
    const bool like_before = std::count(lengths.begin(), lengths.end(), lengths.back()) > 1;
    if (!like_before && range_lengths.count(lengths.back()) == 0) continue;
    if (found != 0) return 0;
    found = at;
  }
  return found;
}

void cut_value(std::vector<PlacedValue>& values, std::size_t index, std::size_t at) {
  PlacedValue tail{values[index].text.substr(at), values[index].place};
  values[index].text.resize(at);
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(tail));
}

/// Takes apart what ran together; returns the word that was cut.
std::string cut_glued(std::vector<PlacedValue>& values, std::size_t columns,
                      const std::set<int>& range_lengths) {
  if (values.empty() || values.size() >= columns) return "";
  const std::string last = values.back().text;
  if (!last.ends_with(kNone) || last.size() == kNone.size()) return "";
  cut_value(values, values.size() - 1, last.size() - kNone.size());
  if (values.size() >= columns) return last;
  const std::size_t at = cut_of(values.front().text, range_lengths);
  if (at > 0) cut_value(values, 0, at);
  return last;
}

/// The ascending choice of columns whose places fit best.
std::vector<std::size_t> best_columns(const std::vector<PlacedValue>& values,
                                      const std::vector<int>& places) {
  std::vector<std::size_t> best;
  int least = 0;
  for (unsigned chosen = 0; chosen < (1U << places.size()); ++chosen) {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < places.size(); ++c) {
      if ((chosen >> c & 1U) != 0) columns.push_back(c);
    }
    if (columns.size() != values.size()) continue;
    int cost = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      cost += std::abs(values[v].place - places[columns[v]]);
    }
    if (!best.empty() && cost >= least) continue;
    best = std::move(columns);
    least = cost;
  }
  return best;
}

void store(const std::string& value, SmiColumnKind kind, SmiAffinity& affinity) {
  if (value == kNone) return;
  if (kind == SmiColumnKind::kCpuAffinity) affinity.cpu = value;
  if (kind == SmiColumnKind::kNumaAffinity) affinity.numa = value;
  if (kind == SmiColumnKind::kGpuNumaId) affinity.gpu_numa_id = value;
}

}  // namespace

std::vector<int> cpu_range_lengths(std::string_view list) {
  std::vector<int> lengths;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const auto low = whole_int(part.substr(0, dash));
    const auto high = dash == std::string_view::npos ? low : whole_int(part.substr(dash + 1));
    if (!low || !high || *high < *low || *high > kMostCpus) return {};
    lengths.push_back(*high - *low + 1);
  }
  return lengths;
}

SmiAffinity read_smi_affinity(std::string_view line, std::size_t at,
                              const std::vector<SmiColumn>& columns, int shift,
                              const std::set<int>& range_lengths) {
  SmiAffinity affinity;
  if (columns.empty() || at >= line.size()) return affinity;
  const bool tabbed = line.substr(at).find('\t') != std::string_view::npos;
  std::vector<PlacedValue> values = values_of(line, at);
  affinity.glued = cut_glued(values, columns.size(), range_lengths);
  while (values.size() > columns.size()) {
    affinity.surplus = values.back().text;
    values.pop_back();
  }
  std::vector<int> places;
  places.reserve(columns.size());
  for (const SmiColumn& c : columns) {
    places.push_back(tabbed ? field_of(c.kind) : c.column + shift);
  }
  const std::vector<std::size_t> chosen = best_columns(values, places);
  for (std::size_t v = 0; v < values.size(); ++v) {
    store(values[v].text, columns[chosen[v]].kind, affinity);
  }
  return affinity;
}

}  // namespace heddle::io

#include "sim/io/import/nccl_log_graph.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/log_lines.h"

namespace heddle::io {
namespace {

using Words = std::vector<std::string_view>;

std::string_view without(std::string_view word, std::string_view ends) {
  while (!word.empty() && ends.find(word.front()) != std::string_view::npos) word.remove_prefix(1);
  while (!word.empty() && ends.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return word;
}

std::optional<int> number_after(const Words& words, std::string_view key) {
  return whole_int(without(word_after(words, key), ","), -1, 1'000'000);
}

struct Pair {
  std::string_view first;
  std::string_view second;
};

Pair at_slash(std::string_view word) {
  word = without(word, ",");
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return {word, word};
  return {word.substr(0, slash), word.substr(slash + 1)};
}

std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// By NCCL's numbers since 2.19 or by name.
template <std::size_t N>
std::string named(std::string_view word, const std::array<std::string_view, N>& names) {
  const auto number = whole_number(word);
  if (!number) return lower(word);
  const auto index = static_cast<std::size_t>(*number);
  return std::string(index < N ? names[index] : word);
}

constexpr std::array<std::string_view, 7> kAlgorithms{
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvlstree", "pat"};
constexpr std::array<std::string_view, 3> kProtocols{"ll", "ll128", "simple"};

/// "CPU/0", "CPU/0 (1/1/2)".
bool names_node(const Words& words) {
  if (words.empty() || (words.size() > 1 && !words[1].starts_with('('))) return false;
  const std::string_view name = words[0];
  return name.find('/') != std::string_view::npos && name.front() >= 'A' && name.front() <= 'Z';
}

/// "+ PCI[24.0] - GPU/7000 (0)"; where it starts is not told.
std::optional<DumpedLink> parse_link(const Words& words) {
  if (words.size() < 4 || words[0] != "+" || words[2] != "-") return std::nullopt;
  const std::size_t bracket = words[1].find('[');
  if (bracket == std::string_view::npos || !words[1].ends_with(']')) return std::nullopt;
  const auto rate = decimal_number(words[1].substr(bracket + 1, words[1].size() - bracket - 2));
  if (!rate) return std::nullopt;
  DumpedLink link;
  link.to = words[3];
  link.type = words[1].substr(0, bracket);
  link.gbs = *rate;
  return link;
}

}  // namespace

std::optional<NcclGraph> parse_graph(std::string_view message) {
  const Words words = words_of(message);
  const std::optional<int> pattern = number_after(words, "Pattern");
  const std::optional<int> channels = number_after(words, "nChannels");
  if (!pattern || !channels) return std::nullopt;
  std::string_view rates = word_after(words, "bw");
  if (rates.empty()) rates = word_after(words, "speed");
  const Pair rate = at_slash(rates);
  const Pair type = at_slash(word_after(words, "type"));
  NcclGraph graph;
  graph.pattern = *pattern;
  graph.cross_nic = number_after(words, "crossNic").value_or(0);
  graph.channels = *channels;
  graph.intra_gbs = decimal_number(rate.first).value_or(0);
  graph.inter_gbs = decimal_number(rate.second).value_or(0);
  graph.intra_type = type.first;
  graph.inter_type = type.second;
  graph.same_channels = number_after(words, "sameChannels") == 1;
  return graph;
}

std::optional<NcclChoice> parse_choice(std::string_view message) {
  const Words words = words_of(message);
  if (words.size() < 8 || !words[0].ends_with(':') || words[2] != "Bytes" || words[3] != "->") {
    return std::nullopt;
  }
  const auto bytes = whole_number(words[1]);
  const std::string_view algorithm = word_after(words, "Algo");
  const std::string_view protocol = word_after(words, "proto");
  if (!bytes || *bytes < 0 || algorithm.empty() || protocol.empty()) return std::nullopt;
  NcclChoice choice;
  choice.collective = words[0].substr(0, words[0].size() - 1);
  choice.bytes = *bytes;
  choice.algorithm = named(algorithm, kAlgorithms);
  choice.protocol = named(protocol, kProtocols);
  choice.time_us = decimal_number(word_after(words, "time"));
  return choice;
}

void SystemDump::open(std::string_view message, NcclLog& log) {
  const Words words = words_of(message);
  open_ = true;
  path_.clear();
  std::string_view most = word_after(words, "maxBw");
  if (most.empty()) most = word_after(words, "maxWidth");
  std::string_view total = word_after(words, "totalBw");
  if (total.empty()) total = word_after(words, "totalWidth");
  log.system_max_gbs = decimal_number(most);
  log.system_total_gbs = decimal_number(total);
}

bool SystemDump::read(std::string_view message, std::string_view raw, NcclLog& log) {
  if (message.starts_with("=== System")) {
    open(message, log);
    return true;
  }
  if (message.starts_with("=====")) return std::exchange(open_, false);
  return open_ && read_node(raw, log);
}

/// "CPU/0 (1/1/2)" is a root; "+ PCI[24.0] - GPU/7000 (0)" a link from the node less indented.
bool SystemDump::read_node(std::string_view raw, NcclLog& log) {
  const Words words = words_of(raw);
  if (names_node(words)) {
    path_.assign(1, {-1, std::string(words[0])});
    return true;
  }
  std::optional<DumpedLink> link = parse_link(words);
  if (!link) return false;
  const auto indent = static_cast<int>(raw.find_first_not_of(' '));
  while (!path_.empty() && path_.back().indent >= indent) path_.pop_back();
  if (path_.empty()) return true;
  link->from = path_.back().name;
  path_.push_back({indent, link->to});
  log.links.push_back(std::move(*link));
  return true;
}

}  // namespace heddle::io

#include "sim/io/import/nccl_log_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/base/number_text.h"
#include "sim/io/import/log_lines.h"

namespace heddle::io {
namespace {

constexpr int kRankMax = 10'000'000;

std::optional<int> small_number(std::string_view word, int lowest = 0) {
  return whole_int(word, lowest, kRankMax);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

/// The message that starts after a marker: who wrote it stands in the words before.
NcclMessage message_of(std::string_view before, std::string_view text, bool warning) {
  NcclMessage message{{}, {}, warning, trimmed(text), text};
  const std::vector<std::string_view> words = words_of(before);
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    const std::vector<std::string_view> parts = split(*word, ":");
    if (parts.size() < 3 || !whole_number(parts[parts.size() - 1]) ||
        !whole_number(parts[parts.size() - 2])) {
      continue;
    }
    message.source = *word;
    message.host = parts[parts.size() - 3];
    break;
  }
  return message;
}

/// After "Channel " or "Ring ": the number, what follows a slash, and the text after the colon.
struct Channel {
  int number = 0;
  std::optional<int> after_slash;
  std::string_view rest;
};

std::optional<Channel> parse_channel(std::string_view message) {
  auto rest = after_prefix(message, "Channel ");
  if (!rest) rest = after_prefix(message, "Ring ");
  if (!rest) return std::nullopt;
  const std::size_t colon = rest->find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> parts = split(trimmed(rest->substr(0, colon)), "/");
  const std::optional<int> number = small_number(parts.front());
  if (!number || parts.size() > 2) return std::nullopt;
  Channel channel{*number, std::nullopt, rest->substr(colon + 1)};
  if (parts.size() == 2) channel.after_slash = small_number(parts[1]);
  return channel;
}

/// "6" of "6[9c000]".
std::optional<int> rank_of(std::string_view word) {
  return small_number(word.substr(0, word.find('[')));
}

bool is_device_or_flag(std::string_view part) {
  if (part == "GDRDMA" || part == "Shared" || part.starts_with("Comm")) return true;
  return small_number(part.substr(0, part.find('('))).has_value();
}

/// Device numbers and flags off the end of network transports.
std::string transport_name(std::string_view text) {
  std::string_view name = trimmed(text);
  if (!name.starts_with("NET/") && !name.starts_with("COLLNET/")) return std::string(name);
  for (std::size_t slash = name.rfind('/'); slash != std::string_view::npos && slash > 3;
       slash = name.rfind('/')) {
    if (!is_device_or_flag(name.substr(slash + 1))) break;
    name = name.substr(0, slash);
  }
  return std::string(name);
}

std::optional<std::vector<int>> tree_side(std::string_view text) {
  std::vector<int> ranks;
  for (const std::string_view part : split(text, "/")) {
    const std::optional<int> rank = small_number(part, -1);
    if (!rank) return std::nullopt;
    ranks.push_back(*rank);
  }
  return ranks;
}

/// "1/-1/-1->0->-1" or "-1->0->1/-1/-1", with or without "|..." behind.
std::optional<NcclTree> parse_tree(int channel, std::string_view word) {
  const std::vector<std::string_view> parts = split(word.substr(0, word.find('|')), "->");
  if (parts.size() != 3) return std::nullopt;
  const bool children_first = parts[0].find('/') != std::string_view::npos;
  const auto children = tree_side(children_first ? parts[0] : parts[2]);
  const auto rank = small_number(parts[1]);
  const auto parent = small_number(children_first ? parts[2] : parts[0], -1);
  if (!children || children->size() < 2 || !rank || !parent) return std::nullopt;
  NcclTree tree{channel, *rank, *parent, {}};
  std::copy_if(children->begin(), children->end(), std::back_inserter(tree.children),
               [](int child) { return child >= 0; });
  return tree;
}

/// NCCL's number: domain << 20 | bus << 12 | device << 4 | function, in hex.
std::string bus_id_of(std::string_view word) {
  if (word.starts_with("0x")) word.remove_prefix(2);
  unsigned long long id = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, id, 16);
  if (word.empty() || error != std::errc{} || stop != end || id >> 36 != 0) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", id >> 20, id >> 12 & 0xff, id >> 4 & 0xff,
                     id & 0xf);
}

}  // namespace

std::vector<NcclMessage> split_messages(std::string_view line) {
  constexpr std::size_t kLength = 10;  // of both markers
  std::vector<NcclMessage> messages;
  std::size_t start = 0;
  while (true) {
    const std::size_t info = line.find("NCCL INFO ", start);
    const std::size_t warn = line.find("NCCL WARN ", start);
    const std::size_t at = std::min(info, warn);
    if (at == std::string_view::npos) return messages;
    const std::string_view text = line.substr(at + kLength);
    const std::size_t next = std::min(text.find("NCCL INFO "), text.find("NCCL WARN "));
    messages.push_back(
        message_of(line.substr(start, at - start), text.substr(0, next), warn < info));
    start = at + kLength;
  }
}

std::optional<RingLine> parse_ring(std::string_view message) {
  const std::optional<Channel> channel = parse_channel(message);
  if (!channel || channel->rest.find("->") != std::string_view::npos) return std::nullopt;
  RingLine ring{channel->number, channel->after_slash, {}, true};
  for (const std::string_view word : words_of(channel->rest)) {
    const std::optional<int> rank = small_number(word);
    if (!rank) {
      ring.clean = false;
      break;
    }
    ring.ranks.push_back(*rank);
  }
  if (ring.ranks.empty()) return std::nullopt;
  return ring;
}

std::optional<NcclHop> parse_hop(std::string_view message) {
  const std::optional<Channel> channel = parse_channel(message);
  if (!channel) return std::nullopt;
  const std::size_t via = channel->rest.find(" via ");
  if (via == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> words = words_of(channel->rest.substr(0, via));
  if (words.size() < 3 || words[1] != "->") return std::nullopt;
  const std::optional<int> from = rank_of(words[0]);
  const std::optional<int> to = rank_of(words[2]);
  if (!from || !to) return std::nullopt;
  const std::string_view carrier = channel->rest.substr(via + 5);
  const bool gpu_direct = carrier.find("GDRDMA") != std::string_view::npos;
  return NcclHop{channel->number, *from, *to, transport_name(carrier), gpu_direct};
}

std::optional<TreesLine> parse_trees(std::string_view message) {
  const auto rest = after_prefix(message, "Trees ");
  if (!rest) return std::nullopt;
  TreesLine line;
  const std::vector<std::string_view> words = words_of(*rest);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    std::string_view label = words[i];
    if (!label.starts_with('[') || !label.ends_with(']') || label.size() < 3) return line;
    label = label.substr(1, label.size() - 2);
    const std::optional<int> channel = small_number(label);
    std::optional<NcclTree> tree;
    if (channel && i + 1 < words.size()) tree = parse_tree(*channel, words[i + 1]);
    if (!tree) {
      line.clean = false;
      break;
    }
    line.trees.push_back(std::move(*tree));
  }
  return line;
}

std::optional<InitLine> parse_init(std::string_view message) {
  const std::vector<std::string_view> words = words_of(message);
  const std::optional<int> rank = small_number(word_after(words, "rank"));
  if (!rank || word_after(words, "comm").empty()) return std::nullopt;
  InitLine line;
  line.nranks = small_number(word_after(words, "nranks"));
  if (!line.nranks) line.nranks = small_number(word_after(words, "nRanks"));
  line.nnodes = small_number(word_after(words, "nNodes"));
  if (!line.nranks) return std::nullopt;
  if (message.ends_with("Init START")) line.phase = InitLine::Phase::kStart;
  if (message.ends_with("Init COMPLETE")) line.phase = InitLine::Phase::kComplete;
  if (line.phase == InitLine::Phase::kInfo && !line.nnodes) return std::nullopt;  // Abort, Destroy
  line.id = word_after(words, "commId");
  line.rank.rank = *rank;
  line.rank.cuda_device = small_number(word_after(words, "cudaDev")).value_or(-1);
  line.rank.nvml_device = small_number(word_after(words, "nvmlDev")).value_or(-1);
  line.rank.bus_id = bus_id_of(word_after(words, "busId"));
  return line;
}

std::optional<NcclSetting> parse_setting(std::string_view message) {
  constexpr std::string_view kVerb = " set by environment to ";
  const std::size_t at = message.find(kVerb);
  if (at == std::string_view::npos || !message.starts_with("NCCL_")) return std::nullopt;
  std::string_view value = trimmed(message.substr(at + kVerb.size()));
  if (value.ends_with('.')) value.remove_suffix(1);
  return NcclSetting{std::string(message.substr(0, at)), std::string(value)};
}

}  // namespace heddle::io

#include "sim/io/import/nccl_communicators.h"

#include <algorithm>
#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/log_lines.h"

namespace heddle::io {
namespace {

std::optional<int> count_before(const std::vector<std::string_view>& words, std::string_view first,
                                std::string_view second) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != first || !words[i + 1].starts_with(second)) continue;
    if (const auto count = whole_int(words[i - 1], 0, 99'999)) return count;
  }
  return std::nullopt;
}

/// "24 coll channels, 0 collnet channels, 16 nvls channels, 32 p2p channels, 2 p2p channels per
/// peer"
bool read_counts(std::string_view text, NcclCommunicator& part) {
  const std::vector<std::string_view> words = words_of(text);
  const std::optional<int> coll = count_before(words, "coll", "channels");
  if (!coll) return false;
  part.coll_channels = coll;
  part.nvls_channels = count_before(words, "nvls", "channels");
  part.p2p_channels = count_before(words, "p2p", "channels");
  return true;
}

template <typename T>
void keep_first(std::optional<T>& to, const std::optional<T>& from) {
  if (!to) to = from;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void merge(NcclCommunicator& to, NcclCommunicator& from) {
  keep_first(to.nranks, from.nranks);
  keep_first(to.nnodes, from.nnodes);
  keep_first(to.channels, from.channels);
  keep_first(to.coll_channels, from.coll_channels);
  keep_first(to.nvls_channels, from.nvls_channels);
  keep_first(to.p2p_channels, from.p2p_channels);
  to.rings.merge(from.rings);
  to.rings_truncated = to.rings_truncated || from.rings_truncated;
  to.complete = to.complete || from.complete;
  append(to.ranks, from.ranks);
  append(to.trees, from.trees);
  append(to.hops, from.hops);
}

}  // namespace

bool NcclCommunicators::read(const NcclMessage& message, int line) {
  const std::string key(message.source);
  const auto [found, fresh] = open_.try_emplace(key);
  if (fresh) order_.push_back(key);
  if (const std::optional<InitLine> init = parse_init(message.text)) {
    read_init(key, *init, message, line);
    return true;
  }
  return read_wiring(found->second, message.text, line);
}

bool NcclCommunicators::read_wiring(Segment& segment, std::string_view text, int line) {
  NcclCommunicator& part = segment.part;
  if (std::optional<RingLine> ring = parse_ring(text)) {
    keep_first(part.channels, ring->channels);
    if (!ring->clean) cut_lines_.push_back(line);
    part.rings.try_emplace(ring->channel, std::move(ring->ranks));
  } else if (std::optional<NcclHop> hop = parse_hop(text)) {
    part.hops.push_back(std::move(*hop));
  } else if (std::optional<TreesLine> trees = parse_trees(text)) {
    if (!trees->clean) cut_lines_.push_back(line);
    if (!trees->trees.empty()) segment.speaker = trees->trees.front().rank;
    append(part.trees, trees->trees);
  } else if (!read_counts(text, part)) {
    return false;
  }
  if (!std::exchange(segment.any, true)) part.line = line;
  return true;
}

void NcclCommunicators::read_init(const std::string& key, const InitLine& init,
                                  const NcclMessage& message, int line) {
  Segment& segment = open_.at(key);
  if (init.phase == InitLine::Phase::kStart) flush(segment);
  NcclCommunicator& part = segment.part;
  if (!std::exchange(segment.any, true)) part.line = line;
  segment.speaker = init.rank.rank;
  if (part.id.empty()) part.id = init.id;
  keep_first(part.nranks, init.nranks);
  keep_first(part.nnodes, init.nnodes);
  if (part.ranks.empty()) {
    part.ranks.push_back(init.rank);
    part.ranks.front().line = line;
    part.ranks.front().host = message.host;
  } else if (part.ranks.front().bus_id.empty()) {
    part.ranks.front().bus_id = init.rank.bus_id;
    part.ranks.front().cuda_device = init.rank.cuda_device;
    part.ranks.front().nvml_device = init.rank.nvml_device;
  }
  if (init.phase == InitLine::Phase::kComplete) {
    part.complete = true;
    flush(segment);
  }
}

/// The communicator that has this commId, or, without one, the first that can still take the rank.
std::size_t NcclCommunicators::home_of(const Segment& segment) {
  const NcclCommunicator& part = segment.part;
  if (const auto found = ids_.find(part.id); found != ids_.end()) return found->second;
  if (part.id.empty() && segment.speaker) {
    for (const std::size_t other : nameless_) {
      const std::optional<int>& nranks = done_[other].nranks;
      const bool same_size = !nranks || !part.nranks || nranks == part.nranks;
      if (same_size && !seen_[other].contains(*segment.speaker)) return other;
    }
  }
  const std::size_t home = done_.size();
  done_.emplace_back();
  done_.back().id = part.id;
  done_.back().line = part.line;
  seen_.emplace_back();
  if (part.id.empty()) {
    nameless_.push_back(home);
  } else {
    ids_.emplace(part.id, home);
  }
  return home;
}

void NcclCommunicators::flush(Segment& segment) {
  if (!segment.any) return;
  if (segment.part.ranks.empty() && segment.speaker) {
    NcclRank rank;
    rank.rank = *segment.speaker;
    rank.line = segment.part.line;
    segment.part.ranks.push_back(rank);
  }
  const std::size_t home = home_of(segment);
  if (segment.speaker) seen_[home].insert(*segment.speaker);
  merge(done_[home], segment.part);
  segment = Segment{};
}

std::vector<NcclCommunicator> NcclCommunicators::take() {
  for (const std::string& key : order_) flush(open_.at(key));
  for (NcclCommunicator& communicator : done_) {
    std::stable_sort(communicator.ranks.begin(), communicator.ranks.end(),
                     [](const NcclRank& a, const NcclRank& b) { return a.rank < b.rank; });
    for (const auto& [channel, ring] : communicator.rings) {
      const auto members = static_cast<int>(ring.size());
      if (communicator.nranks && members < *communicator.nranks) {
        communicator.rings_truncated = true;
      }
    }
  }
  std::stable_sort(done_.begin(), done_.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return std::move(done_);
}

}  // namespace heddle::io

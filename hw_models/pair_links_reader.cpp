#include "hw_models/pair_links_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

class PairLinksReader {
 public:
  PairLinksReader(const NodeModel& node, Diagnostics& out)
      : node_(node), out_(out), used_(static_cast<std::size_t>(node.gpus), 0) {}

  std::optional<PairLinks> read(const io::Value& entry) {
    const std::vector<io::Value> numbers = entry.items(out_);
    if (numbers.size() != 3) {
      entry.error("bad-pair", "not two GPUs and a count of links", "write it like [0, 1, 2]", out_);
      return std::nullopt;
    }
    const auto a = numbers[0].as_integer(0, node_.gpus - 1, out_);
    const auto b = numbers[1].as_integer(0, node_.gpus - 1, out_);
    const auto links = numbers[2].as_integer(1, node_.links_per_gpu, out_);
    if (!a || !b || !links) return std::nullopt;
    const PairLinks pair{static_cast<int>(*a), static_cast<int>(*b), static_cast<int>(*links)};
    check_pair(entry, pair);
    count(entry, pair.a, pair.links);
    count(entry, pair.b, pair.links);
    return pair;
  }

 private:
  void check_pair(const io::Value& entry, const PairLinks& pair) {
    if (pair.a == pair.b) {
      entry.error("same-gpu", fmt::format("GPU {} is joined with itself", pair.a), "", out_);
    } else if (!seen_.insert(std::minmax(pair.a, pair.b)).second) {
      entry.error("duplicate-pair", fmt::format("GPUs {} and {} are named twice", pair.a, pair.b),
                  "add their links up", out_);
    }
  }

  void count(const io::Value& entry, int gpu, int links) {
    int& used = used_[static_cast<std::size_t>(gpu)];
    used += links;
    if (used <= node_.links_per_gpu) return;
    entry.error("too-many-links",
                fmt::format("GPU {} uses {} links, {} exist", gpu, used, node_.links_per_gpu),
                "give fewer links, or correct links_per_gpu", out_);
  }

  const NodeModel& node_;
  Diagnostics& out_;
  std::vector<int> used_;  // links of each GPU so far
  std::set<std::pair<int, int>> seen_;
};

}  // namespace

std::vector<PairLinks> read_pair_links(io::ObjectReader& wiring, const NodeModel& node,
                                       Diagnostics& out) {
  std::vector<PairLinks> pairs;
  PairLinksReader reader(node, out);
  for (const io::Value& entry : QuantityReader(wiring, out).items("links")) {
    if (const auto pair = reader.read(entry)) pairs.push_back(*pair);
  }
  return pairs;
}

}  // namespace heddle::hw_models

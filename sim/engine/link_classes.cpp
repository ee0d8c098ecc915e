#include "sim/engine/link_classes.h"

#include <functional>
#include <unordered_map>
#include <utility>

namespace heddle::engine {
namespace {

/// What tells links of a class apart; its numbers are dealt in order of use, so no hash decides.
struct Key {
  std::uint32_t former;
  std::int64_t value;
  friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    return std::hash<std::int64_t>{}(key.value) * 31 + key.former;
  }
};

/// Numbers keys from `next` on. Neighbouring links mostly have the same.
class Numbering {
 public:
  explicit Numbering(std::uint32_t& next) : next_(next) {}
  std::uint32_t of(const Key& key) {
    if (known_.empty() || !(key == last_)) {
      last_ = key;
      const auto [found, fresh] = known_.try_emplace(key, next_);
      if (fresh) ++next_;
      number_ = found->second;
    }
    return number_;
  }

 private:
  std::uint32_t& next_;
  std::unordered_map<Key, std::uint32_t, KeyHash> known_;
  Key last_{};
  std::uint32_t number_ = 0;
};

}  // namespace

LinkClasses::LinkClasses(std::span<const Bandwidth> capacities) {
  Numbering numbers(classes_);
  class_of_.reserve(capacities.size());
  for (const Bandwidth& c : capacities) {
    class_of_.push_back(numbers.of({0, c.bytes_per_second}));
  }
}

void LinkClasses::split_by(std::span<const ResourceUse> uses) {
  Numbering numbers(classes_);
  for (const ResourceUse& use : uses) {
    std::uint32_t& link_class = class_of_[use.resource.index()];
    link_class = numbers.of({link_class, use.weight_ppb});
  }
}

void LinkClasses::keep_first(std::vector<ResourceUse>& uses) {
  seen_in_.resize(classes_, 0);
  ++call_;
  std::erase_if(uses, [&](const ResourceUse& use) {
    return std::exchange(seen_in_[class_of_[use.resource.index()]], call_) == call_;
  });
}

}  // namespace heddle::engine

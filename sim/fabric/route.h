#pragma once
// The links of one route, in order. A view: machines of equal shape share the storage, which holds
// places among a machine's links, so that a cluster stores its routes once. Valid as long as the
// fabric; cheap to copy.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "sim/fabric/device.h"

namespace heddle::fabric {

class Route {
 public:
  class Iterator {
   public:
    using value_type = LinkId;
    using reference = LinkId;
    using pointer = const LinkId*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;  // it yields values, not references
    using iterator_concept = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const LinkId* links, const std::uint32_t* place) : links_(links), place_(place) {}
    LinkId operator*() const { return links_[*place_]; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) { return {links_, place_++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const LinkId* links_ = nullptr;
    const std::uint32_t* place_ = nullptr;
  };

  Route() = default;
  /// `places` index into the machine's `links`.
  Route(std::span<const LinkId> links, std::span<const std::uint32_t> places)
      : links_(links), places_(places) {}

  std::size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  LinkId operator[](std::size_t i) const { return links_[places_[i]]; }
  LinkId front() const { return (*this)[0]; }
  LinkId back() const { return (*this)[size() - 1]; }
  Iterator begin() const { return {links_.data(), places_.data()}; }
  Iterator end() const { return {links_.data(), places_.data() + size()}; }

 private:
  std::span<const LinkId> links_;
  std::span<const std::uint32_t> places_;
};

}  // namespace heddle::fabric

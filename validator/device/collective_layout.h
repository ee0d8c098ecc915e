#pragma once
// What a collective moves, element by element, and data whose result is known.
//
//   elements   bytes / size of the type; a part is ceil(elements / n)
//   value      v(rank, i, k) = (131 rank + 7 i + 13 k + 1) mod 1024 of number k, element i
//   sums       exact in any order: 16-bit types are summed as 16-bit integers (mod 2^16), 32-bit
//              ones as floats (below 2^24 up to 16,384 ranks)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/schedule/schedule.h"

namespace heddle::device {

/// A collective from the view of one member.
struct CollectiveView {
  schedule::Collective collective;
  int size = 1;      // members
  int position = 0;  // of this one among them
  std::uint64_t number = 0;

  std::size_t element_size() const { return static_cast<std::size_t>(byte_size(collective.dtype)); }
  std::size_t elements() const;  // of the whole
  std::size_t part() const;      // of one member
  std::size_t input_elements() const;
  std::size_t output_elements() const;
  std::size_t input_bytes() const { return input_elements() * element_size(); }
  std::size_t output_bytes() const { return output_elements() * element_size(); }
};

void fill_input(const CollectiveView& view, std::span<std::byte> input);

/// "8 of 1024 elements differ; the first at 3: 17 expected, 18 got (0x0012)", nullopt if all are
/// right. A member that gets nothing (reduce to another) has nothing to check.
std::optional<std::string> wrong_output(const CollectiveView& view,
                                        std::span<const std::byte> output);

}  // namespace heddle::device

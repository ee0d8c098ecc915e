#pragma once
// What a collective moves, element by element, and data whose result is known.
//
//   elements   bytes / size of the type; a part is ceil(elements / n)
//   value      v(rank, i, k) = (131 rank + 7 i + 13 k + 1) mod M of number k, element i
//   M          1024; of 16-bit floats 256 / n, at least 2
//   sums       exact in any order: 32-bit types are summed as floats (below 2^24 up to 16,384
//              ranks), 16-bit ones as 16-bit integers (mod 2^16) or as what they are (at most 256,
//              up to where bf16 knows every whole number; members from 128 on add nothing)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/schedule/schedule.h"

namespace heddle::device {

/// How 16-bit types are added up.
enum class Arithmetic : std::uint8_t {
  kInteger16,  // as integers: processors without such floats
  kOfType,     // as bf16 and fp16: NCCL
};

/// A collective from the view of one member.
struct CollectiveView {
  schedule::Collective collective;
  int size = 1;      // members
  int position = 0;  // of this one among them
  std::uint64_t number = 0;
  Arithmetic arithmetic = Arithmetic::kInteger16;

  /// Its elements are bf16 or fp16.
  bool has_half_floats() const { return element_size() == 2 && arithmetic == Arithmetic::kOfType; }
  std::size_t element_size() const { return static_cast<std::size_t>(byte_size(collective.dtype)); }
  std::size_t elements() const;  // of the whole
  std::size_t part() const;      // of one member
  std::size_t input_elements() const;
  std::size_t output_elements() const;
  std::size_t input_bytes() const { return input_elements() * element_size(); }
  std::size_t output_bytes() const { return output_elements() * element_size(); }
};

std::string to_text(const CollectiveView& view);  // "all_reduce of 1024 bytes, number 3"

void fill_input(const CollectiveView& view, std::span<std::byte> input);

/// "8 of 1024 elements differ; the first at 3: 17 expected, 18 got (0x0012)", nullopt if all are
/// right. A member that gets nothing (reduce to another) has nothing to check.
std::optional<std::string> wrong_output(const CollectiveView& view,
                                        std::span<const std::byte> output);

}  // namespace heddle::device

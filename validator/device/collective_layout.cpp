#include "validator/device/collective_layout.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstring>

namespace heddle::device {
namespace {

using schedule::CollectiveKind;

constexpr int kAddingHalves = 128;  // members: more would leave what bf16 holds exactly

std::uint32_t value_of(const CollectiveView& view, std::size_t member, std::size_t index) {
  std::uint64_t modulus = 1024;
  if (view.has_half_floats()) {
    if (member >= kAddingHalves) return 0;
    modulus = static_cast<std::uint64_t>(std::max(2, 256 / view.size));
  }
  return static_cast<std::uint32_t>((131 * member + 7 * index + 13 * view.number + 1) % modulus);
}

/// The sum over all members, as the type holds it.
std::uint32_t sum_of(const CollectiveView& view, std::size_t index) {
  std::uint32_t sum = 0;
  const auto members = static_cast<std::size_t>(view.size);
  for (std::size_t member = 0; member < members; ++member) sum += value_of(view, member, index);
  return view.element_size() == 2 ? sum & 0xffffU : sum;
}

/// What element `index` of the output must be.
std::uint32_t expected(const CollectiveView& view, std::size_t index) {
  const std::size_t part = view.part();
  const auto me = static_cast<std::size_t>(view.position);
  switch (view.collective.kind) {
    case CollectiveKind::kAllReduce:
    case CollectiveKind::kReduce:
      return sum_of(view, index);
    case CollectiveKind::kReduceScatter:
      return sum_of(view, me * part + index);
    case CollectiveKind::kAllGather:
      return value_of(view, index / part, index % part);
    case CollectiveKind::kAllToAll:
      return value_of(view, index / part, me * part + index % part);
    case CollectiveKind::kBroadcast:
      return value_of(view, 0, index);
    case CollectiveKind::kSendRecv:
      return value_of(view, static_cast<std::size_t>((view.position + view.size - 1) % view.size),
                      index);
  }
  return 0;
}

bool gets_output(const CollectiveView& view) {
  return view.collective.kind != CollectiveKind::kReduce || view.position == 0;
}

constexpr std::uint32_t kNoValue = 0xffffffffU;

struct Got {
  std::uint32_t value;
  std::uint32_t bits;
};

/// Anything that is no small whole number is no value of ours.
std::uint32_t whole_value(float got) {
  const bool whole =
      got >= 0 && got < 16'777'216.0F && got == static_cast<float>(static_cast<std::uint32_t>(got));
  return whole ? static_cast<std::uint32_t>(got) : kNoValue;
}

float half_float(schedule::DType dtype, std::uint16_t bits) {
  if (dtype == schedule::DType::kBFloat16) {
    return static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(bits));
  }
  return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits));
}

std::uint16_t half_bits(schedule::DType dtype, std::uint32_t value) {
  const auto real = static_cast<float>(value);
  if (dtype == schedule::DType::kBFloat16) {
    return Eigen::numext::bit_cast<std::uint16_t>(static_cast<Eigen::bfloat16>(real));
  }
  return Eigen::numext::bit_cast<std::uint16_t>(static_cast<Eigen::half>(real));
}

Got element(const CollectiveView& view, std::span<const std::byte> data, std::size_t index) {
  if (view.element_size() == 2) {
    std::uint16_t got = 0;
    std::memcpy(&got, data.data() + 2 * index, 2);
    if (!view.has_half_floats()) return {got, got};
    return {whole_value(half_float(view.collective.dtype, got)), got};
  }
  float got = 0;
  std::uint32_t bits = 0;
  std::memcpy(&got, data.data() + 4 * index, 4);
  std::memcpy(&bits, data.data() + 4 * index, 4);
  return {whole_value(got), bits};
}

}  // namespace

std::size_t CollectiveView::elements() const {
  return static_cast<std::size_t>(collective.bytes.value) / element_size();
}

std::size_t CollectiveView::part() const {
  const auto n = static_cast<std::size_t>(size);
  return (elements() + n - 1) / n;
}

std::size_t CollectiveView::input_elements() const {
  switch (collective.kind) {
    case CollectiveKind::kAllGather:
      return part();
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll:
      return part() * static_cast<std::size_t>(size);
    default:
      return elements();
  }
}

std::size_t CollectiveView::output_elements() const {
  switch (collective.kind) {
    case CollectiveKind::kReduceScatter:
      return part();
    case CollectiveKind::kAllGather:
    case CollectiveKind::kAllToAll:
      return part() * static_cast<std::size_t>(size);
    default:
      return elements();
  }
}

std::string to_text(const CollectiveView& view) {
  return fmt::format("{} of {} bytes, number {}", to_string(view.collective.kind),
                     view.collective.bytes.value, view.number);
}

void fill_input(const CollectiveView& view, std::span<std::byte> input) {
  for (std::size_t i = 0; i < view.input_elements(); ++i) {
    const std::uint32_t value = value_of(view, static_cast<std::size_t>(view.position), i);
    if (view.element_size() == 2) {
      const auto small = view.has_half_floats() ? half_bits(view.collective.dtype, value)
                                                : static_cast<std::uint16_t>(value);
      std::memcpy(input.data() + 2 * i, &small, 2);
    } else {
      const auto real = static_cast<float>(value);
      std::memcpy(input.data() + 4 * i, &real, 4);
    }
  }
}

std::optional<std::string> wrong_output(const CollectiveView& view,
                                        std::span<const std::byte> output) {
  if (!gets_output(view)) return std::nullopt;
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < view.output_elements(); ++i) {
    const std::uint32_t want = expected(view, i);
    const Got got = element(view, output, i);
    if (got.value == want) continue;
    if (wrong++ == 0) {
      first = fmt::format("the first at {}: {} expected, {} got (0x{:0{}x})", i, want,
                          got.value == kNoValue ? "no such value" : std::to_string(got.value),
                          got.bits, 2 * view.element_size());
    }
  }
  if (wrong == 0) return std::nullopt;
  return fmt::format("{} of {} elements differ; {}", wrong, view.output_elements(), first);
}

}  // namespace heddle::device

#include "validator/device/collective_layout.h"

#include <fmt/format.h>

#include <cstring>

namespace heddle::device {
namespace {

using schedule::CollectiveKind;

std::uint32_t value_of(int member, std::size_t index, std::uint64_t number) {
  return static_cast<std::uint32_t>(
      (131 * static_cast<std::uint64_t>(member) + 7 * index + 13 * number + 1) % 1024);
}

/// The sum over all members, as the type holds it.
std::uint32_t sum_of(const CollectiveView& view, std::size_t index) {
  std::uint32_t sum = 0;
  for (int member = 0; member < view.size; ++member) sum += value_of(member, index, view.number);
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
      return value_of(static_cast<int>(index / part), index % part, view.number);
    case CollectiveKind::kAllToAll:
      return value_of(static_cast<int>(index / part), me * part + index % part, view.number);
    case CollectiveKind::kBroadcast:
      return value_of(0, index, view.number);
    case CollectiveKind::kSendRecv:
      return value_of((view.position + view.size - 1) % view.size, index, view.number);
  }
  return 0;
}

bool gets_output(const CollectiveView& view) {
  return view.collective.kind != CollectiveKind::kReduce || view.position == 0;
}

struct Got {
  std::uint32_t value;
  std::uint32_t bits;
};

Got element(const CollectiveView& view, std::span<const std::byte> data, std::size_t index) {
  if (view.element_size() == 2) {
    std::uint16_t got = 0;
    std::memcpy(&got, data.data() + 2 * index, 2);
    return {got, got};
  }
  float got = 0;
  std::uint32_t bits = 0;
  std::memcpy(&got, data.data() + 4 * index, 4);
  std::memcpy(&bits, data.data() + 4 * index, 4);
  // Anything that is no small whole number is no value of ours.
  const bool whole =
      got >= 0 && got < 16'777'216.0F && got == static_cast<float>(static_cast<std::uint32_t>(got));
  return {whole ? static_cast<std::uint32_t>(got) : 0xffffffffU, bits};
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

void fill_input(const CollectiveView& view, std::span<std::byte> input) {
  for (std::size_t i = 0; i < view.input_elements(); ++i) {
    const std::uint32_t value = value_of(view.position, i, view.number);
    if (view.element_size() == 2) {
      const auto small = static_cast<std::uint16_t>(value);
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
                          got.value == 0xffffffffU ? "no such value" : std::to_string(got.value),
                          got.bits, 2 * view.element_size());
    }
  }
  if (wrong == 0) return std::nullopt;
  return fmt::format("{} of {} elements differ; {}", wrong, view.output_elements(), first);
}

}  // namespace heddle::device

#include "sim/io/gpu_words.h"

#include <charconv>

#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

std::optional<int> number_up_to(std::string_view word, std::int64_t high) {
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || rest != end || number < 0 || number > high) return std::nullopt;
  return static_cast<int>(number);
}

}  // namespace

std::string_view trimmed(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

std::optional<GpuWord> parse_gpu_word(std::string_view text) {
  GpuWord word;
  text = trimmed(text);
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    word.node = number_up_to(text.substr(0, colon), kMaxNodes - 1);
    if (!word.node) return std::nullopt;
    text.remove_prefix(colon + 1);
  }
  const std::size_t dash = text.find('-');
  const auto first = number_up_to(text.substr(0, dash), kMaxGpuNumber);
  const auto last =
      dash == std::string_view::npos ? first : number_up_to(text.substr(dash + 1), kMaxGpuNumber);
  if (!first || !last || *last < *first) return std::nullopt;
  word.first = *first;
  word.last = *last;
  return word;
}

}  // namespace heddle::io

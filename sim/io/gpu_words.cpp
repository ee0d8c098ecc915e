#include "sim/io/gpu_words.h"

#include "sim/base/number_text.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {

std::string_view trimmed(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

std::optional<GpuWord> parse_gpu_word(std::string_view text) {
  GpuWord word;
  text = trimmed(text);
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    word.node = whole_int(text.substr(0, colon), 0, kMaxNodes - 1);
    if (!word.node) return std::nullopt;
    text.remove_prefix(colon + 1);
  }
  const std::size_t dash = text.find('-');
  const auto first = whole_int(text.substr(0, dash), 0, kMaxGpuNumber);
  const auto last =
      dash == std::string_view::npos ? first : whole_int(text.substr(dash + 1), 0, kMaxGpuNumber);
  if (!first || !last || *last < *first) return std::nullopt;
  word.first = *first;
  word.last = *last;
  return word;
}

}  // namespace heddle::io

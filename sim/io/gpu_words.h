#pragma once
// Words of a GPU list, as scenarios and the command line write it.

#include <optional>
#include <string_view>

namespace heddle::io {

/// "3", "0-7", "1:3" or "1:0-3": GPUs `first` to `last`, of every machine or of one.
struct GpuWord {
  std::optional<int> node;
  int first = 0;
  int last = 0;
};

/// nullopt for anything else. Spaces around are no part of a word.
std::optional<GpuWord> parse_gpu_word(std::string_view text);

/// Without the spaces around it.
std::string_view trimmed(std::string_view word);

}  // namespace heddle::io

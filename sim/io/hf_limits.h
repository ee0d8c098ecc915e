#pragma once
// Beyond these a dimension in a config.json is a slip, and products of them could leave 64 bits.

#include <cstdint>

namespace heddle::io {

inline constexpr std::int64_t kMaxWidth = 1 << 20;
inline constexpr std::int64_t kMaxLayers = 1024;
inline constexpr std::int64_t kMaxHeads = 4096;
inline constexpr std::int64_t kMaxHeadDim = 4096;
inline constexpr std::int64_t kMaxVocabulary = 1 << 24;
inline constexpr std::int64_t kMaxWindow = 1 << 30;
inline constexpr std::int64_t kMaxImage = 1 << 14;

}  // namespace heddle::io

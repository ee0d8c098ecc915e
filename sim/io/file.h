#pragma once
// The door to the file system. Reading and writing throw heddle::Error; the mains turn that into an
// exit code.

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::io {

/// No input of ours comes near it; a device such as /dev/zero never ends.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

/// The whole file. Error(kCannotRead) with the system's reason, or if it exceeds kMaxFileBytes.
std::string read_file(const std::string& path);

/// Replaces the file at once: written beside it, flushed to disk, renamed over it. On failure the
/// old file is intact and nothing is left behind. Error(kCannotWrite).
void write_file(const std::string& path, std::string_view text);

}  // namespace heddle::io

#pragma once
// A 64-bit hash with the same value on every machine and build: FNV-1a over bytes, integers fed
// little-endian. For fingerprints and caches, not for security.

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

class StableHash {
 public:
  StableHash& add(std::string_view text);  // length-prefixed: ("ab","c") differs from ("a","bc")
  StableHash& add(std::uint64_t value);
  StableHash& add(std::int64_t value) { return add(static_cast<std::uint64_t>(value)); }
  std::uint64_t value() const { return state_; }
  std::string hex() const;  // 16 lower-case digits

 private:
  void byte(unsigned char b) { state_ = (state_ ^ b) * 0x100000001b3ULL; }
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace heddle

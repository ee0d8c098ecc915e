#include "sim/base/stable_hash.h"

#include <fmt/format.h>

namespace heddle {

StableHash& StableHash::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  for (const char c : text) byte(static_cast<unsigned char>(c));
  return *this;
}

StableHash& StableHash::add(std::uint64_t value) {
  for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(value >> (8 * i)));
  return *this;
}

std::string StableHash::hex() const {
  return fmt::format("{:016x}", state_);
}

}  // namespace heddle

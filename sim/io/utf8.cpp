#include "sim/io/utf8.h"

namespace heddle::io {
namespace {

struct Lead {
  std::size_t bytes;   // of the character; 0: no character begins so
  unsigned low, high;  // of the second byte
};

Lead lead_of(unsigned byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2 || byte > 0xf4) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte < 0xf0) return {3, byte == 0xe0 ? 0xa0U : 0x80U, byte == 0xed ? 0x9fU : 0xbfU};
  return {4, byte == 0xf0 ? 0x90U : 0x80U, byte == 0xf4 ? 0x8fU : 0xbfU};
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  Lead lead = lead_of(byte(0));
  if (lead.bytes == 0) return {1, false};
  for (std::size_t at = 1; at < lead.bytes; ++at) {
    if (at == text.size() || byte(at) < lead.low || byte(at) > lead.high) return {at, false};
    lead = {lead.bytes, 0x80, 0xbf};
  }
  return {lead.bytes, true};
}

}  // namespace heddle::io

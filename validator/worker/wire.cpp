#include "validator/worker/wire.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace heddle::worker {
namespace {

constexpr std::uint32_t kMagic = 0x4c444548;  // "HEDL"
constexpr std::size_t kHead = 16;

void put32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xffU);
}

std::uint32_t get32(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

}  // namespace

WireWriter& WireWriter::add(std::uint64_t value) {
  put32(bytes_, static_cast<std::uint32_t>(value & 0xffffffffU));
  put32(bytes_, static_cast<std::uint32_t>(value >> 32));
  return *this;
}

WireWriter& WireWriter::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  bytes_ += text;
  return *this;
}

std::uint64_t WireReader::number() {
  if (!good_ || rest_.size() < 8) {
    good_ = false;
    return 0;
  }
  const std::uint64_t low = get32(rest_);
  const std::uint64_t high = get32(rest_.substr(4));
  rest_.remove_prefix(8);
  return high << 32 | low;
}

std::string WireReader::text() {
  const std::size_t size = count(1);
  if (!good_) return {};
  std::string out(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return out;
}

std::size_t WireReader::count(std::size_t each) {
  const std::uint64_t told = number();
  if (good_ && told <= rest_.size() / each) return static_cast<std::size_t>(told);
  good_ = false;
  return 0;
}

std::string encode_frame(const Frame& frame) {
  std::string out;
  put32(out, kMagic);
  put32(out, kWireVersion);
  put32(out, frame.type);
  put32(out, static_cast<std::uint32_t>(frame.payload.size()));
  return out + frame.payload;
}

bool FrameReader::next(Frame& frame) {
  if (!problem_.empty() || buffer_.size() < kHead) return false;
  const std::string_view head(buffer_);
  const std::uint32_t version = get32(head.substr(4));
  const std::size_t length = get32(head.substr(12));
  if (get32(head) != kMagic) {
    problem_ = "bytes that are no message";
  } else if (version != kWireVersion) {
    problem_ = fmt::format("messages of version {}, not {}", version, kWireVersion);
  } else if (length > kMostFrameBytes) {
    problem_ = fmt::format("a message of {} bytes", length);
  }
  if (!problem_.empty() || buffer_.size() < kHead + length) return false;
  frame.type = get32(head.substr(8));
  frame.payload = buffer_.substr(kHead, length);
  buffer_.erase(0, kHead + length);
  return true;
}

}  // namespace heddle::worker

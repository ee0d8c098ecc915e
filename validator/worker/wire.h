#pragma once
// Values as bytes and back, little-endian, for messages between the parent and its ranks. The
// reader trusts nothing: what is not there reads as zero and good() stays false.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::worker {

class WireWriter {
 public:
  WireWriter& add(std::uint64_t value);
  WireWriter& add(std::int64_t value) { return add(static_cast<std::uint64_t>(value)); }
  WireWriter& add(std::uint32_t value) { return add(static_cast<std::uint64_t>(value)); }
  WireWriter& add(int value) { return add(static_cast<std::int64_t>(value)); }
  WireWriter& add(bool value) { return add(std::uint64_t{value ? 1U : 0U}); }
  WireWriter& add(std::string_view text);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number();
  std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  std::uint32_t index() { return static_cast<std::uint32_t>(number()); }
  bool flag() { return number() != 0; }
  std::string text();
  /// A count of what takes at least `each` bytes apiece; not good if they cannot all be there.
  std::size_t count(std::size_t each);
  /// Everything was there, and nothing is left.
  bool complete() const { return good_ && rest_.empty(); }
  bool good() const { return good_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

/// A message in transit: magic, version, type, length, payload.
struct Frame {
  std::uint32_t type = 0;
  std::string payload;
};

inline constexpr std::uint32_t kWireVersion = 2;
inline constexpr std::size_t kMostFrameBytes = std::size_t{256} << 20;

std::string encode_frame(const Frame& frame);

/// Frames out of a stream of bytes that arrives in pieces.
class FrameReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// The next whole frame, if there is one and nothing was wrong before it.
  bool next(Frame& frame);
  /// Why the stream is no use any more: "another program's version 7", "a frame of 9 GB"; or "".
  const std::string& problem() const { return problem_; }

 private:
  std::string buffer_;
  std::string problem_;
};

}  // namespace heddle::worker

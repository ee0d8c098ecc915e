// Any bytes as what a rank sends its parent: never a crash, and a message that decodes encodes to
// the same frame again.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/check.h"
#include "validator/worker/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::worker::FrameReader reader;
  reader.feed(std::string_view(reinterpret_cast<const char*>(data), size));
  for (heddle::worker::Frame frame; reader.next(frame);) {
    if (const auto hello = heddle::worker::decode_hello(frame)) {
      HEDDLE_CHECK(heddle::worker::decode_hello(encode(*hello)).has_value(),
                   "a hello that is lost");
    }
    if (const auto progress = heddle::worker::decode_progress(frame)) {
      HEDDLE_CHECK(heddle::worker::decode_progress(encode(*progress)).has_value(),
                   "progress that is lost");
    }
    if (const auto report = heddle::worker::decode_report(frame)) {
      HEDDLE_CHECK(heddle::worker::decode_report(encode(*report)).has_value(),
                   "a report that is lost");
    }
    heddle::worker::decode_request(frame);
  }
  return 0;
}

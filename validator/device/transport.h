#pragma once
// How host ranks exchange data. A call blocks the stream thread that makes it until the collective
// is done; calls of one communicator come one after the other, in the same order on all members.

#include <cstddef>
#include <optional>
#include <span>

#include "validator/device/collective_layout.h"
#include "validator/device/failure.h"

namespace heddle::device {

struct TransportCall {
  CollectiveView view;
  std::span<std::byte> input;   // of view.input_bytes()
  std::span<std::byte> output;  // of view.output_bytes()
  bool compare = true;          // first see that all members are about to run the same
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::optional<Failure> run(const TransportCall& call) = 0;
  /// All ranks of the schedule.
  virtual std::optional<Failure> barrier() = 0;
  /// Makes calls under way return kAborted where the transport can; from any thread.
  virtual void abort() = 0;
};

}  // namespace heddle::device

#pragma once
// The reference transport: collectives through memory that all ranks see, be they threads of one
// process or processes that map the same file. Slow and obviously right.
//
//   every member copies a piece of its input into its slot; all meet; every member reads what it
//   needs from all slots; all meet; next piece
//
// Before the first piece members compare what they are about to run: ranks that disagree get
// kMismatch instead of a hang.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/device/clock.h"
#include "validator/device/transport.h"

namespace heddle::device {

class Exchange : public Transport {
 public:
  /// What the region must have, zero-filled and aligned to 64 bytes.
  static std::size_t region_bytes(const schedule::Schedule& schedule);
  /// One per rank; `region` and `schedule` must outlive it.
  Exchange(std::span<std::byte> region, const schedule::Schedule& schedule, int rank,
           const Clock& clock);

  std::optional<Failure> run(const TransportCall& call) override;
  std::optional<Failure> barrier() override;
  void abort() override;

 private:
  struct Meeting;
  struct Room;
  Room room(std::size_t communicator) const;  // of the rank's group
  bool meet(Meeting& meeting, std::uint32_t members) const;
  std::optional<Failure> agree(const Room& room, const TransportCall& call) const;
  void read_piece(const Room& room, const TransportCall& call, std::size_t first,
                  std::size_t count) const;
  std::atomic<std::uint32_t>& aborted() const;

  std::span<std::byte> region_;
  const schedule::Schedule& schedule_;
  const Clock& clock_;
  std::vector<std::size_t> rooms_;  // by communicator, where that of the rank's group begins
};

}  // namespace heddle::device

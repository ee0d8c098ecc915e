#pragma once
// A rank's part of a schedule: what each of its streams runs, and room for the largest of it.

#include <cstddef>
#include <vector>

#include "validator/device/collective_layout.h"

namespace heddle::device {

const schedule::Program& program_of(const schedule::Schedule& schedule, int rank);

/// The rank must be a member.
CollectiveView view_of_member(const schedule::Schedule& schedule, int rank,
                              schedule::CollectiveId id, std::uint64_t number);

struct StreamNeeds {
  std::vector<schedule::Kernel> kernels;  // each once
  std::size_t input = 0;                  // bytes of a collective, at most
  std::size_t output = 0;
  std::size_t timed = 0;  // ops
};

StreamNeeds needs_of(const schedule::Schedule& schedule, int rank, schedule::StreamKind kind);

}  // namespace heddle::device

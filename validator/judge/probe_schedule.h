#pragma once
// A schedule to calibrate by: work of the same kinds as the judged one, of other shapes and sizes,
// so that what is fitted is never what is judged.
//
//   products      the judged shapes with m, n and k stretched by 3/4 to 5/4
//   sweeps        sizes between the judged ones, a geometric series
//   collectives   the judged kinds and communicators, sizes likewise
//   turns         a small kernel and a wait of the host, many times: what handing work over costs
//   overlap       kernels on the compute stream beside collectives on another

#include <cstdint>
#include <vector>

#include "sim/schedule/schedule.h"

namespace heddle::judge {

/// Ops of the probe by what they tell; indices into the program.
struct Probe {
  schedule::Schedule schedule;
  std::vector<std::uint32_t> kernels;      // alone
  std::vector<std::uint32_t> collectives;  // alone
  std::vector<std::uint32_t> turns;
  std::vector<std::uint32_t> beside_kernels;
  std::vector<std::uint32_t> beside_collectives;
};

/// `judged` must have one program that all ranks run.
Probe probe_schedule(const schedule::Schedule& judged);

}  // namespace heddle::judge

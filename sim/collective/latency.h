#pragma once
// The latency of a plan by the kind of its steps, as NCCL believes it and as it is timed.

#include "sim/base/units.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/collective/pipelining.h"
#include "sim/fabric/comm_parameters.h"

namespace heddle::collective {

/// NCCL's nominal figures, summed over the steps.
struct Latency {
  Duration base;
  Duration inside;   // steps inside machines
  Duration network;  // steps between machines

  Duration nominal() const { return base + inside + network; }
};

/// Rounded to the nearest picosecond.
Duration scaled(Duration duration, double factor);

/// Nominal times of one step between machines: NCCL's figure, and the NIC's and wire's own, which
/// Simple pays twice since it flushes (network_model 1.3).
Duration network_step(Duration hop, const fabric::CommParameters& comm, Protocol protocol);

/// How hops of a transport are timed, inside a machine or between machines.
const PathTiming& path_timing(const TimingTuning& timing, Transport transport);

/// The nominal latency with every kind of step at its measured share.
Duration timed(const Latency& latency, Protocol protocol, Transport inside,
               const TimingTuning& timing);

/// The chunk law of a plan with this worst hop.
Pipelining pipelining_of(const TimingTuning& timing, Transport worst);

}  // namespace heddle::collective

#pragma once
// Bounds that no candidate beats, from tables filled once per strategy, batch and place:
//
//   step   >= max(a * kernels alone,  a * operators * host time of one,
//                 sum over kinds of collectives of (b1 + (a - 1) b2) / A)
//   needed >= max(resident, weights + states + activations) + context + NCCL + headroom
//
// a: accumulation. b1, b2: bytes of a step's collectives that the strategy is seen to move with one
// and with a second micro-batch (simulations of micro-batch 1, per checkpointing). A: the best
// rate any algorithm has there; strategies with communicators beside that of all ranks have b = 0.
// resident, weights, states: seen in the same simulation. activations: what a forward pass has
// saved when it ends. Kernels alone: compute_model.h, so that waiting, launches, the optimizer and
// what shares HBM come on top.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/advise/space.h"
#include "sim/run/study.h"

namespace heddle::advise {

struct Bound {
  Duration kernels;  // the step is no shorter than the largest of these three
  Duration host;
  Duration wires;
  Bytes needed;

  Duration step() const { return std::max({kernels, host, wires}); }
};

/// Runs candidates of a space, or says why one is not modelled.
class CaseRunner {
 public:
  /// Keeps references.
  CaseRunner(const Space& space, const run::Hardware& hardware)
      : space_(space), hardware_(hardware) {}
  const run::Hardware& hardware() const { return hardware_; }
  std::optional<run::Study> study(const run::Scenario& scenario, std::string& refusal) const;
  std::optional<run::CaseResult> run(const run::Scenario& scenario, std::string& refusal) const;
  std::optional<run::CaseResult> run(const Candidate& candidate, std::string& refusal) const {
    return run(scenario_of(space_, candidate), refusal);
  }

 private:
  const Space& space_;
  const run::Hardware& hardware_;
};

class Bounds {
 public:
  /// Simulates each strategy twice per checkpointing at most.
  static Bounds create(const Space& space, const CaseRunner& runner);

  /// Why the strategy is not modelled for this job at all, or "".
  const std::string& refusal(std::size_t strategy) const { return probes_[strategy].refusal; }
  /// Of a strategy that is not refused. A table look-up and a few products.
  Bound of(const Candidate& candidate) const;
  /// False: a candidate with that bound cannot have the verdict "fits" (memory_report.h).
  bool may_fit(const Candidate& candidate, const Bound& bound) const;

 private:
  static constexpr std::size_t kKinds = 8;
  static constexpr std::size_t kModes = 4;
  using BytesByKind = std::array<std::int64_t, kKinds>;

  struct Traffic {
    BytesByKind first{};   // of collectives in a step of one micro-batch
    BytesByKind second{};  // what another adds
  };
  struct Probe {
    std::string refusal;
    std::array<Traffic, kModes> traffic;  // by checkpointing
    Bytes resident;
    Bytes states;     // weights and moments, without gradients
    Bytes overheads;  // context and NCCL
    Bytes headroom;
    Bytes usable;
  };
  struct Batch {
    std::int64_t accumulation = 1;
    std::size_t mode = 0;  // of checkpointing
    Duration kernels;      // of all micro-batches
    Duration host;
    Bytes activations;
  };
  using SecondsPerByte = std::array<double, kKinds>;

  static BytesByKind traffic_of(const run::CaseResult& result);
  static Probe probe_of(const Space& space, const CaseRunner& runner, std::size_t strategy);
  static void see_memory(const run::Scenario& scenario, const run::MemoryReport& memory,
                         Probe& probe);
  static SecondsPerByte times_of(const Space& space, const run::FabricChoice& place,
                                 const CaseRunner& runner);
  void fill_batches(const Space& space, const CaseRunner& runner);
  static Batch batch_of(const Space& space, const model::GpuModel& gpu, const BatchChoice& choice);

  std::vector<Probe> probes_;           // by strategy
  std::vector<Batch> batches_;          // by batch
  std::vector<SecondsPerByte> places_;  // by place
};

}  // namespace heddle::advise

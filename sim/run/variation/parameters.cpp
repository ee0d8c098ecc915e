#include "sim/run/variation/parameters.h"

#include <algorithm>
#include <cmath>

namespace heddle::run {
namespace {

using Of = Parameter::Of;

/// As the GPU's file states it, else `otherwise`.
Sigma gpu_sigma(const Machine& machine, std::string_view key, double otherwise) {
  for (const ValueSigma& value : machine.gpu_facts.sigmas) {
    if (value.key == key) return {value.sigma, value.origin};
  }
  return {otherwise, "not stated by the GPU's file; usual for such a value"};
}

template <double fabric::CommSigmas::*kSigma>
Sigma wire_sigma(const Machine& machine, const VariationChoice& /*choice*/) {
  return {machine.fabric.comm().sigma.*kSigma,
          "of the machine's comm or overlay file, else of priors over sites"};
}

void scale(Duration& time, double factor) {
  if (factor != 1) time = duration_from_seconds(time.seconds() * factor);
}

template <Wire kWire>
void scale_wire(Perturbed& values, double factor) {
  values.rates[static_cast<std::size_t>(kWire)] *= factor;
}

constexpr std::array kParameters{
    Parameter{"matrix products", Of::kGpu,
              [](const Machine& m, const VariationChoice&) {
                return gpu_sigma(m, "gemm_efficiency", 0.08);
              },
              [](Perturbed& v, double f) {
                v.gpu.gemm_efficiency *= f;
                v.gpu.fp8_efficiency *= f;
              }},
    Parameter{"attention", Of::kGpu,
              [](const Machine& m, const VariationChoice&) {
                return gpu_sigma(m, "attention_efficiency", 0.15);
              },
              [](Perturbed& v, double f) { v.gpu.attention_efficiency *= f; }},
    Parameter{"HBM", Of::kGpu,
              [](const Machine& m, const VariationChoice&) {
                return gpu_sigma(m, "hbm_efficiency", 0.05);
              },
              [](Perturbed& v, double f) { v.gpu.hbm_efficiency *= f; }},
    Parameter{
        "small kernels", Of::kGpu,
        [](const Machine& m, const VariationChoice&) { return gpu_sigma(m, "kernel_floor", 0.30); },
        [](Perturbed& v, double f) { scale(v.gpu.kernel_floor, f); }},
    Parameter{"launches", Of::kGpu,
              [](const Machine& m, const VariationChoice&) {
                return gpu_sigma(m, "launch_latency", 0.30);
              },
              [](Perturbed& v, double f) { scale(v.gpu.launch_latency, f); }},
    Parameter{"overlap", Of::kGpu,
              [](const Machine&, const VariationChoice&) {
                return Sigma{0.30,
                             "HBM bytes of collectives are read off NCCL's kernels; one "
                             "measured wave"};
              },
              [](Perturbed& v, double f) { v.contention *= f; }},
    Parameter{"host", Of::kHost,
              [](const Machine&, const VariationChoice& choice) {
                return Sigma{choice.host, "variation.host of the scenario"};
              },
              [](Perturbed& v, double f) {
                scale(v.host.per_dispatch, f);
                scale(v.host.per_collective, f);
              }},
    Parameter{"NVLink rings", Of::kMachine, wire_sigma<&fabric::CommSigmas::ring>,
              scale_wire<Wire::kNvlinkRing>},
    Parameter{"in-switch", Of::kMachine, wire_sigma<&fabric::CommSigmas::nvls>,
              scale_wire<Wire::kNvls>},
    Parameter{"PCIe", Of::kMachine, wire_sigma<&fabric::CommSigmas::pcie_ring>,
              scale_wire<Wire::kPcie>},
    Parameter{"host staging", Of::kMachine, wire_sigma<&fabric::CommSigmas::host_staging>,
              scale_wire<Wire::kHostMemory>},
    Parameter{"network", Of::kMachine, wire_sigma<&fabric::CommSigmas::network>,
              scale_wire<Wire::kNetwork>},
    Parameter{"latency", Of::kMachine, wire_sigma<&fabric::CommSigmas::network_latency>,
              [](Perturbed& v, double f) { v.latency *= f; }},
};

double rate_factor(const collective::CollectiveCost& cost, const Perturbed& values) {
  using collective::Algorithm;
  using collective::Transport;
  Wire wire = Wire::kNvlinkRing;
  if (cost.transport == Transport::kNetwork) {
    wire = Wire::kNetwork;
  } else if (cost.algorithm == Algorithm::kNvls || cost.algorithm == Algorithm::kNvlsTree) {
    wire = Wire::kNvls;
  } else if (cost.transport == Transport::kPcie) {
    wire = Wire::kPcie;
  } else if (cost.transport == Transport::kHostMemory) {
    wire = Wire::kHostMemory;
  }
  return values.rates[static_cast<std::size_t>(wire)];
}

/// A link is busy 1/factor as long per byte; what crosses it stays.
std::vector<collective::LinkUse> rescaled(std::span<const collective::LinkUse> uses,
                                          double factor) {
  std::vector<collective::LinkUse> out(uses.begin(), uses.end());
  for (collective::LinkUse& use : out) {
    use.occupancy_ppb = std::llround(static_cast<double>(use.occupancy_ppb) / factor);
  }
  return out;
}

/// Collectives of one communicator run one after the other. With nothing else on the links each has
/// its lone rate, and which links those are does not matter.
bool has_links_to_itself(const schedule::Schedule& schedule, const engine::Platform& platform) {
  return schedule.communicators.size() == 1 && platform.background.empty();
}

void perturb(collective::CollectiveCost& cost, const Perturbed& values) {
  scale(cost.latency, values.latency);
  const double factor = rate_factor(cost, values);
  if (factor != 1) {
    cost.rate = scale(cost.rate, factor);
    cost.rate_cap = scale(cost.rate_cap, factor);
  }
  cost.total = cost.latency + cost.payload / cost.rate;
}

/// Every collective with its factor; `uses` holds the link weights that changed.
void perturb_collectives(engine::CostTable& costs, const Perturbed& values, bool alone,
                         std::vector<std::vector<collective::LinkUse>>& uses) {
  uses.resize(costs.collectives.size());
  for (std::size_t c = 0; c < uses.size(); ++c) {
    collective::CollectiveCost& cost = costs.collectives[c];
    if (cost.payload.value == 0) continue;
    perturb(cost, values);
    const double factor = rate_factor(cost, values);
    if (alone) {
      cost.uses = {};
    } else if (factor != 1) {
      uses[c] = rescaled(cost.uses, factor);
      cost.uses = uses[c];
    }
  }
  if (alone) costs.links.clear();
}

/// Collectives add `factor` times what they would to kernels beside them.
void perturb_contention(engine::CostTable& costs, double factor) {
  if (factor == 1) return;
  for (std::vector<Duration>& beside : costs.beside) {
    for (std::size_t k = 0; k < beside.size(); ++k) {
      Duration added = beside[k] - costs.kernels[k];
      scale(added, factor);
      beside[k] = costs.kernels[k] + added;
    }
  }
}

}  // namespace

std::span<const Parameter> parameters() {
  return kParameters;
}

PerturbedCosts price(const schedule::Schedule& schedule, const engine::Platform& platform,
                     const Perturbed& values) {
  engine::Platform changed{platform.fabric, values.gpu,      platform.communicators,
                           values.host,     platform.speeds, platform.background};
  PerturbedCosts result;
  result.costs = engine::price(schedule, changed);
  perturb_collectives(result.costs, values, has_links_to_itself(schedule, platform), result.uses);
  perturb_contention(result.costs, values.contention);
  return result;
}

}  // namespace heddle::run

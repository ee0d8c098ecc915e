#pragma once
// A scenario as data: what to train, how, on which machines. sim/io reads it from JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/collective/collective_model.h"
#include "sim/engine/host_model.h"
#include "sim/fabric/change.h"
#include "sim/model/model_graph.h"
#include "sim/model/model_spec.h"
#include "sim/parallel/dialect_options.h"
#include "sim/parallel/training_spec.h"
#include "sim/run/background_choice.h"
#include "sim/run/cost/cost_choice.h"
#include "sim/run/variation/variation_choice.h"

namespace heddle::run {

/// A GPU by the machine it is in and its number there, as nvidia-smi counts.
struct GpuPlace {
  int node = 0;
  int gpu = 0;

  friend auto operator<=>(const GpuPlace&, const GpuPlace&) = default;
};

/// How ranks are dealt to machines: one machine after the other, or each neighbour on another.
enum class RankOrder { kNode, kRoundRobin };

/// A place to run: machines of one preset from hw_models/nodes, or a wiring file, plus the GPUs
/// used.
struct FabricChoice {
  std::string id;                    // "nvswitch"; unique in the scenario, part of the case id
  std::string node;                  // preset name; empty if `import_file` is set
  std::string import_file;           // resolved path of a text about the machine
  std::string import_name;           // the file as the scenario wrote it
  std::string import_kind = "auto";  // an importer's name
  std::string import_gpu;            // model of its GPUs; empty: the text or `like_node` says
  std::string like_node;             // preset of the same kind; empty: that of the GPU
  int nodes = 1;                     // machines, all alike
  std::string network;               // preset from hw_models/networks; empty: the node preset's own
  std::vector<GpuPlace> gpus;        // rank r runs on gpus[r]; empty: all, in rank_order
  RankOrder rank_order = RankOrder::kNode;
  std::string nccl_version;  // "2.18"; empty: the newest whose constants are known
  std::string overlay;       // as the scenario wrote it: of hw_models/overlays, or a file; or none
  std::string overlay_file;  // resolved path if it is a file
  collective::CommSettings comm;
  std::vector<fabric::Change> changes;       // what-ifs, made in order
  std::vector<BackgroundChoice> background;  // traffic of others
  std::string pointer;                       // JSON pointer and line, for diagnostics
  int line = 0;

  /// Machines that are many and alike may be folded (HardwareCatalog::folded_cluster).
  bool may_fold = false;

  /// Machines joined by a network, even if it is one of them alone.
  bool is_cluster() const { return nodes > 1 || !network.empty(); }

  friend bool operator==(const FabricChoice&, const FabricChoice&) = default;
};

/// What became of a key of a framework's own configuration file, and why.
struct ConfigDecision {
  std::string key;     // "zero_optimization.reduce_bucket_size"
  std::string value;   // as the file has it; "absent"
  std::string became;  // "reduce_bucket_size 16777216"
  std::string why;
};

struct StrategyChoice {
  std::string id;        // "zero1"; unique in the scenario
  std::string strategy;  // name in the strategies table
  std::string dialect;
  parallel::DialectOptions options;  // those of other dialects are at their defaults
  std::string pointer;
  int line = 0;
  std::string from = {};  // configuration file as the scenario wrote it; empty: none
  std::vector<ConfigDecision> decisions = {};  // that led from it to the above
};

/// The defaults are what public training records are predicted with (scenarios/accuracy); launches
/// alone are measured at 4 to 6 us.
struct HostChoice {
  Duration per_dispatch = microseconds(5);  // host time of one eager operator
  Duration per_collective = microseconds(20);
  std::int64_t run_ahead = engine::kRunAhead;  // launches that may wait on a stream
  bool cuda_graph = false;                     // a step is captured once and replayed
  Duration per_step = {};                      // between two steps: data, logging, callbacks
};

/// PYTORCH_CUDA_ALLOC_CONF as written, and what it says.
struct AllocatorChoice {
  std::string text;
  allocator::AllocatorConfig config;
};

struct Scenario {
  std::string name;
  std::string description;
  std::string file;           // as the user named it
  std::string model_config;   // the config.json as the scenario wrote it
  bool model_layers = false;  // the scenario, not the config, says how many layers there are
  model::ModelSpec model;
  model::BatchShape batch;
  model::ComputeOptions compute;
  parallel::TrainingSpec training;
  HostChoice host;
  std::string software;  // of hw_models/software: what its kernels achieve; empty: the GPU's own
  AllocatorChoice allocator;
  std::optional<Bytes> memory_capacity;  // of every GPU, instead of its own
  double headroom = 0.02;                // share of the capacity kept free
  VariationChoice variation;
  std::optional<CostChoice> cost;
  std::uint64_t seed = 0;
  std::vector<FabricChoice> fabrics;
  std::vector<StrategyChoice> strategies;
  std::vector<std::string>
      assumptions;                 // declared free parameters and readings, shown with results
  std::uint64_t content_hash = 0;  // of everything above that can change a number
};

}  // namespace heddle::run

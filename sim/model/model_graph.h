#pragma once
// A model laid out for one micro-batch: its modules in forward order, each with its parameter
// tensors and the rows of work of one forward and one backward pass. Strategies walk it; they never
// look at the architecture.
//
// A row is what the host issues for one group of eager operators: some host dispatches, one kernel
// description, tensors allocated, saved tensors dropped, parameter gradients produced. Bytes are
// exact for the stated implementation (ComputeOptions); sources in README.md.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/model/compute_options.h"
#include "sim/model/model_spec.h"
#include "sim/schedule/kernel.h"

namespace heddle::model {

struct ParamTensor {
  std::string name;  // "layers.0.self_attn.q_proj.weight"
  std::vector<std::int64_t> shape;
  bool linear_weight = false;  // autocast makes a low-precision copy of it
  // False: frozen. No row completes a gradient for it; strategies give it none either, nor
  // optimizer state, nor a place in reduction buckets. It is still sharded, gathered and read.
  bool trainable = true;
  std::int64_t numel() const;
};

/// Until when a saved tensor is held.
enum class Held {
  kBackward,    // a row of its module drops it: in backward, as a rule. A module that is recomputed
                // frees it in forward after its last use and makes it again in backward
  kCheckpoint,  // as kBackward, but a recomputed module keeps it
  kForward,     // the whole model's forward pass ends; no row of forward drops it
  kOutput,      // the script lets go of the model's outputs, but not before forward ends; no row
                // drops it
};

/// A tensor of the pass, named by its index in Module::saved.
struct SavedTensor {
  std::string name;
  Bytes bytes;
  Held held = Held::kBackward;
  int last_read = -1;  // forward row that reads it last; -1: none after the one that makes it
};

struct Row {
  std::string name;               // "q_proj", "norm", "flash_backward"
  schedule::Kernel kernel;        // launches == 0: no device work
  int dispatches = 0;             // eager operators, views included
  std::vector<int> saves;         // indices into Module::saved, allocated by this row
  std::vector<int> drops;         // indices into Module::saved, freed after this row
  std::vector<Bytes> transients;  // tensors allocated for this row and freed after it
  std::vector<int> reads;         // indices into Module::params the row needs at hand
  bool weight_cast = false;       // autocast's copy of a weight: skipped where weights arrive cast
  std::vector<int> gradients;     // indices into Module::params whose gradient this row completes
  Bytes transient() const;        // sum of `transients`
};

enum class ModuleKind { kEmbedding, kLayer, kHead, kLoss };

struct Module {
  std::string name;  // "embed", "layers.3", "norm+head", "loss"
  ModuleKind kind = ModuleKind::kLayer;
  int layer = -1;  // index in the layer stack
  std::vector<ParamTensor> params;
  std::vector<SavedTensor> saved;
  std::vector<Row> forward;
  std::vector<Row> backward;  // in execution order (reverse of forward); where the module is
                              // recomputed, rows of forward come first
  std::vector<int> submodule_of_param;  // index of the innermost torch module owning each param
  int submodules = 1;                   // torch modules with hooks inside (ZeRO-3 hooks each)
  std::int64_t numel() const;           // parameters of this module
};

/// One micro-batch on one GPU.
struct BatchShape {
  std::int64_t micro_batch = 0;  // sequences or images, >= 1
  std::int64_t sequence = 0;     // tokens per sequence; derived for images
};

struct ModelGraph {
  ModelSpec spec;
  BatchShape batch;
  ComputeOptions compute;
  std::vector<Module> modules;  // embedding, layers, head, loss
  Bytes input_bytes;            // the batch as it arrives (ids and labels, or images)
  Bytes output_bytes;           // logits a script keeps alive through the step
  Flops flops_per_step;         // model FLOPs of forward plus backward, for MFU (no recompute)
  std::int64_t tokens = 0;      // tokens (or patches) per micro-batch
  std::int64_t samples = 0;     // sequences or images per micro-batch
  std::int64_t param_count() const;
  std::int64_t trainable_count() const;  // of them with a gradient; all unless LoRA freezes some
};

/// Weight bytes per element as stored for compute: 2 or 4.
std::int64_t weight_bytes(Precision precision);

/// The graph for one micro-batch. `spec` must be complete and batch_problem() (batch_check.h)
/// empty, and compute_problem() (compute_check.h) too. The model returns its logits from the loss
/// module on: up to there they are transients of its rows, then `output_bytes` if the script keeps
/// them.
ModelGraph build_model_graph(const ModelSpec& spec, const BatchShape& batch,
                             const ComputeOptions& compute);
/// The same with everything but the precision at its default.
ModelGraph build_model_graph(const ModelSpec& spec, const BatchShape& batch, Precision precision);

}  // namespace heddle::model

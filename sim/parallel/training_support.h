#pragma once
// What a dialect models of a training step beyond the plain one. Its refusal() starts here, so that
// a new switch of TrainingSpec is refused by every dialect that has not said it knows it.

#include <string>

#include "sim/model/compute_options.h"
#include "sim/parallel/training_spec.h"

namespace heddle::parallel {

struct TrainingSupport {
  bool every_optimizer = false;     // else AdamW only
  bool in_backward = false;         // optimizer-in-backward
  bool accumulation = false;        // several micro-batches per step
  bool keeps_gradients = false;     // zero_to_none = false
  bool offload_optimizer = false;   // states and step on the host
  bool offload_parameters = false;  // shards on the host between uses
};

/// Everything the dialect named `who` does not support of `training`, in one sentence each, or "".
std::string unsupported(const TrainingSpec& training, const TrainingSupport& support,
                        std::string_view who);
/// Why a dialect whose optimizer steps the weights as they are does not train in `precision`.
std::string without_masters(model::Precision precision);

}  // namespace heddle::parallel

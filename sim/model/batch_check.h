#pragma once
// What a model cannot be fed with, or what we do not model about it.

#include <string>

#include "sim/model/model_graph.h"

namespace heddle::model {

/// Why a graph of this micro-batch cannot be built, in words for the user; "" if it can.
std::string batch_problem(const ModelSpec& spec, const BatchShape& batch);

}  // namespace heddle::model

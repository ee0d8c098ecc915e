#pragma once
// What torch.compile makes of a layer besides fused rows (rms_norm.h, gated_mlp.h,
// decoder_attention.h): the host enters one graph and issues its kernels, nothing else.

#include "sim/model/model_graph.h"

namespace heddle::model {

/// One dispatch per kernel and the entry into the graph, forward and backward.
void issue_as_graph(Module& layer);

}  // namespace heddle::model

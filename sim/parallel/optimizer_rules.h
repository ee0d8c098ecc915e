#pragma once
// What each optimizer holds and touches, one line per kind and implementation in
// optimizer_rules.cpp. Element accesses are HBM reads plus writes; w counts weights and gradients,
// s moments and temporaries (torch 2.5.1, torch/optim/*.py, weight decay only where it is the
// default: AdamW).
//
// AdamW foreach   p*=1-lr*wd (2w), m lerp g (2s+w), v*=b2 (2s), v+=g*g (2s+w), t=sqrt(v) (2s),
//                 t/=c (2s), t+=eps (2s), p-=m/t (2w+2s): 8 passes, 6w+14s, t as large as v;
//                 capturable divides t once more (2s) and keeps its step counts on the GPU
//       for-loop  the same per tensor; sqrt(v)/c makes a second t while the first is alive
//       fused     reads p g m v, writes p m v: 1 pass, 3w+4s, step counts on the GPU
// SGD             p-=lr*g: 1 pass, 3w. Momentum: b*=mu (2s), b+=g (2s+w), p-=lr*b (2w+s); fused
//                 1 pass, 3w+2s; b is a copy of the first gradient
// Adafactor       torch.optim.Adafactor, for-loop (its default). Matrices: a row and a column of
//                 sums; |p| w, rows w, columns w, t=r*c s, t/=mean 2s, clamp 2s, rsqrt 2s, t*=g
//                 2s+w, |t| s, p-=t 2w+s. Vectors: a moment; |p| w, q=g*g w+s, v lerp q 3s, t=v 2s,
//                 clamp, rsqrt, t*=g, |t|, p-=t as above. The norms of p and t are read by the host
// AdamW 8-bit     bitsandbytes 0.44 (optim/optimizer.py, functional.py, block-wise): 1 byte per
//                 moment and an fp32 maximum per 256 elements; tensors under 4096 elements stay in
//                 fp32; two tables of 256 floats. One kernel per tensor: p rw, g r, moments rw.
//       paged     moments of tensors of 1e5 elements and more are unified memory, which the caching
//                 allocator does not see; what of it is on the GPU, the driver decides: 0 here

#include <vector>

#include "sim/parallel/optimizer.h"

namespace heddle::parallel {

/// Accesses of one implementation, per element.
struct StepPasses {
  int passes = 0;       // multi-tensor calls over everything, or kernels per tensor
  int weights = 0;      // w
  int states = 0;       // s
  int temporaries = 0;  // as large as the tensor, in the moments' type, at once
  int host_reads = 0;   // scalars that the host waits for, per tensor
};

/// By kind, implementation and, for Adafactor, shape.
StepPasses step_passes(const OptimizerSpec& spec, const OptimizerTensor& tensor);
/// Steps the tensors one by one, as against all in each pass.
bool steps_tensor_by_tensor(const OptimizerSpec& spec);
/// "adam foreach", "sgd fused", ...
std::string step_name(const OptimizerSpec& spec);

struct StateTensor {
  std::string_view name;
  Bytes bytes;
  bool paged = false;  // outside the caching allocator
};

/// The states of one tensor.
std::vector<StateTensor> state_tensors(const OptimizerWork& work, const OptimizerTensor& tensor);
/// HBM bytes of the moments and temporaries, read or written once, of one tensor.
Bytes state_access(const OptimizerWork& work, const OptimizerTensor& tensor);
/// What all tensors share: tables of the 8-bit code, 0 for most.
Bytes shared_state(const OptimizerSpec& spec);

}  // namespace heddle::parallel

#pragma once
// How much a scenario's steps vary, besides what is not known of its hardware. Sources: README.md.

namespace heddle::run {

/// Relative standard deviations, unless said otherwise.
struct VariationChoice {
  bool hardware = true;            // draw hardware quantities; false: all at their values
  double host = 0.20;              // of the scenario's own host times
  double kernel_noise = 0.015;     // step to step, of all kernels of a GPU: log-normal
  double gpu_spread = 0.025;       // GPU to GPU, for good
  double straggler_chance = 1e-4;  // probability for a GPU in a step
  double straggler_fast = 0.83;    // its speed then: 1/speed is even between these two
  double straggler_slow = 0.5;
  double model_form = 0.03;  // what the model itself is off even with exact parameters

  friend bool operator==(const VariationChoice&, const VariationChoice&) = default;
};

}  // namespace heddle::run

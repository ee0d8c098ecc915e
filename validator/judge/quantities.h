#pragma once
// The numbers of a result file under names that both sides of a comparison may share: "step",
// "peak allocated", "class gemm", "phase backward". A heddle.result/1 gives those of each run, a
// heddle.validation/1 what was measured, or, under the same names, what was predicted.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"

namespace heddle::judge {

struct Quantity {
  std::string name;
  std::string unit;  // "s", "B", "1/s", ""
  double value = 0;
};

struct QuantitySet {
  std::string title;  // "nvswitch/ddp", "nvswitch/ddp, measured"
  std::vector<Quantity> quantities;
};

/// One set per run of a result; "predicted" and "measured" of a validation. nullopt and errors for
/// anything else.
std::optional<std::vector<QuantitySet>> read_quantities(const std::string& text,
                                                        const std::string& file, Diagnostics& out);

/// A quantity that both have; error = a / b - 1, zero where b is.
struct QuantityPair {
  std::string name;
  std::string unit;
  double a = 0;
  double b = 0;
  double error() const { return b != 0 ? a / b - 1 : 0; }
};

/// In the order of `a`.
std::vector<QuantityPair> pair_up(const QuantitySet& a, const QuantitySet& b);

}  // namespace heddle::judge

#pragma once
// What `heddle import` says about nccl-tests output beside the machine.

#include "sim/io/import/nccl_tests.h"

namespace heddle::io {

struct NcclTestsDetails final : ImportDetails {
  explicit NcclTestsDetails(NcclTests read) : tests(std::move(read)) {}

  /// The first sweep's keys, and all of them under "sweeps" with every row.
  void write(JsonWriter& writer) const override;

  NcclTests tests;
};

}  // namespace heddle::io

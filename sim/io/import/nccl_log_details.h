#pragma once
// What `heddle import` says about a log of NCCL beside the machine.

#include "sim/io/import/nccl_log.h"

namespace heddle::io {

struct NcclLogDetails final : ImportDetails {
  explicit NcclLogDetails(NcclLog read) : log(std::move(read)) {}

  /// "rings", "n_channels", "nranks" are the first communicator's; "transports" and "has_trees"
  /// those of the whole log; then every communicator, choice, graph and setting.
  void write(JsonWriter& writer) const override;

  NcclLog log;
};

}  // namespace heddle::io

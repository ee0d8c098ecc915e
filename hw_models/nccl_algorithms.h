#pragma once
// The parts of an nccl file that belong to one algorithm. Each takes its key from the file's root.

#include <optional>

#include "sim/collective/nccl_tuning.h"
#include "sim/io/json_document.h"

namespace heddle::hw_models {

collective::TreeTuning read_tree(io::ObjectReader& object, Diagnostics& out);
std::optional<collective::NvlsTuning> read_nvls(io::ObjectReader& object, Diagnostics& out);
std::optional<collective::NvlsTreeTuning> read_nvls_tree(io::ObjectReader& object,
                                                         Diagnostics& out);
std::optional<collective::PatTuning> read_pat(io::ObjectReader& object, Diagnostics& out);
collective::TimingTuning read_timing(io::ObjectReader& object, Diagnostics& out);

}  // namespace heddle::hw_models

#pragma once
// NCCL's environment as settings of the model.

#include <optional>
#include <string>

#include "sim/cli/accuracy/place_rules.h"
#include "sim/collective/settings.h"

namespace heddle::cli::accuracy {

/// Applies one variable. The reason if it is not modelled or has a value that is not; nullopt:
/// applied.
std::optional<std::string> apply_variable(const std::string& name, const std::string& value,
                                          collective::CommSettings& comm);

/// Forces a way to run that NCCL would not take by itself: such a record is judged beside its
/// sibling without it.
bool forces_a_way(const Variables& env);

}  // namespace heddle::cli::accuracy

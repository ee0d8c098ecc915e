#pragma once
// Fields that measured records of several kinds share.

#include <string>
#include <string_view>

#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

/// The member, or nullopt and a diagnostic.
std::optional<io::Value> needed(const io::Value& record, std::string_view key, Diagnostics& out);
/// A required text; "" after a diagnostic.
std::string text_of(const io::Value& record, std::string_view key, Diagnostics& out);

/// tp, pp, ep and cp are 1 or not given.
bool is_data_parallel(const io::Value& record);

}  // namespace heddle::cli::accuracy

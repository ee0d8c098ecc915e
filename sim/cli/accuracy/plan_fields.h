#pragma once
// Required fields of a plan's objects. A missing or wrong one is a diagnostic and an empty value;
// read_plan() then refuses the whole, so that the empty value is never used.

#include <string>
#include <string_view>
#include <vector>

#include "sim/io/json_document.h"

namespace heddle::cli::accuracy {

std::string text_field(io::ObjectReader& reader, std::string_view key, Diagnostics& out);
/// Absent: empty.
std::string optional_text(io::ObjectReader& reader, std::string_view key, Diagnostics& out);
/// Refuses a "schema" other than `wanted`.
void check_schema(io::ObjectReader& reader, std::string_view wanted, Diagnostics& out);
std::vector<std::string> text_list(io::ObjectReader& reader, std::string_view key,
                                   Diagnostics& out);
/// Absent: empty.
std::vector<std::string> optional_text_list(io::ObjectReader& reader, std::string_view key,
                                            Diagnostics& out);
/// {"training.optimizer.kernel": "fused"} as --set takes it: "path=value". Absent: empty.
std::vector<std::string> overrides_field(io::ObjectReader& reader, Diagnostics& out);

}  // namespace heddle::cli::accuracy

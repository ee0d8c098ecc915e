#pragma once
// Parts that every kind of accuracy report shares in JSON.

#include <string>
#include <vector>

#include "sim/cli/accuracy/record.h"
#include "sim/io/json_writer.h"

namespace heddle::cli::accuracy {

/// The figures of an object already begun, and its end.
void write_statistics(const GroupStatistics& group, io::JsonWriter& json);
void write_texts(const char* key, const std::vector<std::string>& texts, io::JsonWriter& json);
void write_unsupported(const std::vector<Unsupported>& unsupported, io::JsonWriter& json);

}  // namespace heddle::cli::accuracy

#pragma once
// Which importer a text is for.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/import/importers.h"

namespace heddle::io {

inline constexpr std::string_view kAnyKind = "auto";

/// Names of the table, in its order.
std::vector<std::string> importer_names();
/// What a kind of import may be called: those names and "auto".
std::vector<std::string> import_kinds();
/// nullptr if no importer has that name.
const ImporterSpec* find_importer(std::string_view name);
/// The surest of the table, the first among equals; nullptr if all are sure that it is not theirs.
const ImporterSpec* detect_importer(std::string_view text);
/// The importer of that name, or for "auto" the one detected. nullptr and an error for an unknown
/// name ("unknown-kind") and for a text that is of no kind ("unknown-text").
const ImporterSpec* choose_importer(std::string_view name, std::string_view text,
                                    const std::string& file, Diagnostics& out);

}  // namespace heddle::io

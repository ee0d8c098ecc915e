#pragma once
// A text as one cell of a table for spreadsheets.

#include <string>
#include <string_view>

namespace heddle::io {

/// RFC 4180: quoted when it must be.
std::string csv_cell(std::string_view text);

}  // namespace heddle::io

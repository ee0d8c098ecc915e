#pragma once
// Where an interrupted sweep goes on, told from what it wrote.

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/units_text.h"
#include "sim/sweep/row_text.h"

namespace heddle::sweep {

/// The last point found is run again: whether all its lines were written cannot be seen. Lines that
/// were, `again`, must come out the same.
struct Resumption {
  std::size_t keep = 0;  // bytes of the text
  std::size_t next = 0;  // point
  std::string again;     // whole lines behind `keep`
};

/// A last line without its end is dropped. Refused: a line that is not of this sweep.
Parsed<Resumption> resume_from(std::string_view text, const RowText& lines);

}  // namespace heddle::sweep

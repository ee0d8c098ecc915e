#pragma once
// The line that names the columns of an `nvidia-smi topo` table, and where the table lies in a
// text.

#include <optional>
#include <string>
#include <vector>

#include "sim/io/import/plain_lines.h"
#include "sim/io/import/smi_words.h"

namespace heddle::io {

enum class SmiColumnKind { kCpuAffinity, kNumaAffinity, kGpuNumaId };

struct SmiColumn {
  SmiColumnKind kind = SmiColumnKind::kCpuAffinity;
  int column = 0;  // on the screen
};

struct SmiHeader {
  int line = 0;
  std::vector<int> gpus;
  std::vector<std::string> nics;
  std::vector<SmiColumn> columns;  // beyond the matrix, each kind once
  int last_cell_column = 0;        // on the screen, of the last label of the matrix

  std::size_t cells() const { return gpus.size() + nics.size(); }
};

/// A line that begins, after at most eight other words (a prompt, a rank, a time), with the label
/// of a GPU and is no row.
std::optional<SmiHeader> read_smi_header(const PlainLine& line);

/// What may be the row of a GPU: its number and where its cells should begin.
struct SmiRowStart {
  int gpu = 0;
  std::size_t cells_at = 0;
};

/// A line that begins, after at most eight other words, with the label of a GPU and something else.
std::optional<SmiRowStart> find_smi_row(std::string_view line);
/// The same, and what follows is a cell of that table.
bool is_smi_row(std::string_view line, SmiTable table);

/// The first header that has rows below it, or the first header at all; `rows` are the lines from
/// there to the next header, the legend or the end.
struct SmiPlace {
  SmiHeader header;
  std::vector<PlainLine> rows;
  bool has_rows = false;
};
std::optional<SmiPlace> find_smi_table(const std::vector<PlainLine>& lines, SmiTable table);

}  // namespace heddle::io

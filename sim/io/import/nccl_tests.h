#pragma once
// What nccl-tests and rccl-tests print (all_reduce_perf and its siblings): tables of time against
// size. Every layout of columns since 2.0 (error or #wrong, with and without redop and root), with
// launcher labels, other programs' lines in between and parts of the header missing.
//
//   algbw = size / time     busbw = algbw * f(n)     f: all-reduce 2(n-1)/n; gather, scatter and
//   all-to-all (n-1)/n; broadcast, reduce and sendrecv 1
//
// Where nothing names the collective or the number of ranks, f and the columns tell them, as far
// as the printed digits decide it; otherwise they are absent and a warning says why.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

/// One of the two groups of columns; what is printed as N/A is absent.
struct NcclTestsTiming {
  std::optional<double> time_us;
  std::optional<double> algbw;  // GB/s
  std::optional<double> busbw;  // GB/s
  std::optional<double> wrong;  // "#wrong" or "error"
};

struct NcclTestsRow {
  int line = 0;
  std::int64_t bytes = 0;  // the size column
  std::int64_t count = 0;  // elements
  std::string dtype;       // "float"
  std::string redop;       // "sum", "none"; empty where the column is absent or blank
  std::optional<int> root;
  NcclTestsTiming out_of_place;
  NcclTestsTiming in_place;
};

struct NcclTestsDevice {
  int line = 0;
  int rank = 0;
  int device = 0;
  std::string host;
  std::string bus_id;  // as printed: "0000:b4:00", "0x0f"
  std::string name;
};

/// Columns of a header line, in order; which of the optional ones it has.
struct NcclTestsColumns {
  bool redop = false;
  bool error_column = false;  // before #wrong
};

struct NcclTestsSweep {
  int line = 0;                           // of its first row
  std::optional<std::string> collective;  // nccl-tests' word: "all_reduce", "alltoall", "sendrecv"
  std::optional<int> ranks;
  std::optional<std::string> nccl_version;  // "2.23.4"
  std::optional<double> avg_busbw;          // GB/s, over both groups of all rows
  std::optional<NcclTestsColumns> columns;
  std::vector<NcclTestsDevice> devices;
  std::vector<NcclTestsRow> rows;
};

struct NcclTests {
  std::vector<NcclTestsSweep> sweeps;
  std::vector<Inference> inferences;
};

/// nullopt with every malformed row; at least one sweep with rows otherwise.
std::optional<NcclTests> read_nccl_tests(std::string_view text, const std::string& file,
                                         Diagnostics& out);

ImporterSpec nccl_tests_importer();

}  // namespace heddle::io

#pragma once
// Runs the points of a sweep: the scenario with a point's values, read and checked like a file,
// every case of it. What points have in common (files, machines) is found once.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sim/io/scenario_reader.h"
#include "sim/run/machine_shelf.h"
#include "sim/run/study.h"
#include "sim/sweep/grid.h"
#include "sim/sweep/row.h"

namespace heddle::sweep {

/// Which of a scenario's cases are wanted.
using SelectCases = std::function<std::vector<run::CaseId>(const run::Scenario& scenario)>;

struct SweepRequest {
  std::string text;  // of the scenario
  std::string file;  // its name
  PathValues overrides;
  Grid grid;
  SelectCases select;
  std::string choices;  // what else decides which lines there are, for the identity
};

/// A file's text, read once by whichever thread is first.
class FileTexts {
 public:
  explicit FileTexts(io::ReadText read) : read_(std::move(read)) {}
  std::string operator()(const std::string& path);

 private:
  io::ReadText read_;
  std::mutex mutex_;
  std::map<std::string, std::string> known_;
};

class PointRunner {
 public:
  /// Keeps a reference to the catalog.
  PointRunner(SweepRequest request, const run::HardwareCatalog& catalog, const io::ReadText& read);

  const Grid& grid() const { return request_.grid; }
  const std::vector<Column>& columns() const { return columns_; }
  /// 16 hex digits over what decides every line: equal ones belong to the same sweep.
  std::string identity();
  /// One row per case, or one saying why there is none. Any number of threads. Throws only what
  /// `select` throws and internal errors.
  std::vector<Row> run(std::size_t point);

 private:
  std::optional<run::Scenario> read_point(const PathValues& values, Diagnostics& problems);
  Row run_case(const run::Study& study, const run::CaseId& id, const RowPlace& place) const;
  std::vector<Row> run_alone(const run::Scenario& scenario, const std::vector<run::CaseId>& cases,
                             const RowPlace& place);

  SweepRequest request_;
  FileTexts files_;
  io::ReadText read_;
  run::MachineShelf shelf_;
  run::Hardware hardware_;  // from the shelf
  bool cost_ = false;       // some point has prices
  std::vector<Column> columns_;
};

}  // namespace heddle::sweep

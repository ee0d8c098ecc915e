// heddle bench [NAME]           only workloads whose name contains NAME
// heddle bench --once NAME N    runs one workload at one size, once, silently: to count
// instructions Google Benchmark times the runs; CPU time, so that a busy neighbour shows less.
// Exits 1 if a goal is missed.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "tests/bench/suite/bench_table.h"

namespace heddle::bench {
namespace {

/// The peak of the resident set since the last reset; Linux only, 0 elsewhere.
double peak_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

void reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

void measure(benchmark::State& state, const Workload& workload, std::size_t size, Row& row) {
  reset_peak();
  for (auto _ : state) row.done = workload.run(size);
  row.mebibytes = std::max(row.mebibytes, peak_mebibytes());
}

/// Keeps the medians; Google Benchmark's own table has no goals.
class Medians : public benchmark::BenchmarkReporter {
 public:
  explicit Medians(std::map<std::string, Row>& rows) : rows_(rows) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.aggregate_name != "median") continue;
      rows_.at(run.run_name.function_name).seconds = run.GetAdjustedCPUTime() * 1e-9;
    }
  }

 private:
  std::map<std::string, Row>& rows_;
};

std::vector<Row> run_all(const std::string& filter) {
  std::map<std::string, Row> rows;  // by name and number, which is the order of the table
  int number = 0;
  for (const Workload& workload : workloads()) {
    if (workload.name.find(filter) == std::string::npos) continue;
    for (const std::size_t size : workload.sizes) {
      const std::string name = fmt::format("{:03}", number++);
      Row& row = rows[name];
      row.workload = &workload;
      row.size = size;
      benchmark::RegisterBenchmark(
          name.c_str(),
          [&](benchmark::State& state) { measure(state, *row.workload, row.size, row); })
          ->Repetitions(5)
          ->MinTime(0.02)
          ->MeasureProcessCPUTime();
    }
  }
  Medians medians(rows);
  benchmark::RunSpecifiedBenchmarks(&medians);
  std::vector<Row> table;
  for (const auto& [name, row] : rows) table.push_back(row);
  return table;
}

int run_once(const std::string& name, std::size_t size) {
  for (const Workload& workload : workloads()) {
    if (workload.name != name) continue;
    workload.run(size);
    return 0;
  }
  fmt::print(stderr, "no workload is called \"{}\"\n", name);
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "--once") {
    return run_once(arguments[1], std::stoul(arguments[2]));
  }
  const std::vector<Row> table = run_all(arguments.empty() ? "" : arguments.front());
  print_table(table, std::cout);
  return all_met(table) ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  return heddle::bench::run({argv + 1, argv + argc});
}

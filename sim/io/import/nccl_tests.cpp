#include "sim/io/import/nccl_tests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/log_lines.h"
#include "sim/io/import/nccl_tests_details.h"
#include "sim/io/import/nccl_tests_identity.h"
#include "sim/io/import/nccl_tests_row.h"
#include "sim/io/import/nccl_version.h"

namespace heddle::io {
namespace {

constexpr const char* kHint =
    "paste the whole output of a program of nccl-tests, e.g. `all_reduce_perf -b 8 -e 8G -f 2`";

using Words = std::vector<std::string_view>;

/// "#  Rank  0 Group  0 Pid 1 on host device  0 [0000:b4:00] NVIDIA H100"
std::optional<NcclTestsDevice> parse_device(const Words& words, int line) {
  const auto rank = whole_int(word_after(words, "Rank"), 0, 1'000'000);
  const auto number = whole_int(word_after(words, "device"), 0, 1'000);
  if (!rank || !number || word_after(words, "Pid").empty()) return std::nullopt;
  NcclTestsDevice device{line, *rank, *number, "", "", ""};
  device.host = word_after(words, "on");
  auto next = std::find(words.begin(), words.end(), "device") + 2;
  if (next != words.end() && next->starts_with('[') && next->ends_with(']')) {
    device.bus_id = next->substr(1, next->size() - 2);
    ++next;
  }
  device.name = fmt::format("{}", fmt::join(next, words.end(), " "));
  return device;
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  std::optional<NcclTests> read(std::string_view text) {
    const int before = out_.error_count();
    for (const LogLine& line : split_log_lines(text)) read_line(line);
    finish_sweep();
    if (tests_.sweeps.empty() && out_.error_count() == before) {
      fail("no-rows", 0, "no table of nccl-tests here: no line has a size, a count and a type");
    }
    if (out_.error_count() != before) return std::nullopt;
    for (NcclTestsSweep& sweep : tests_.sweeps) check(sweep);
    return std::move(tests_);
  }

 private:
  void read_line(const LogLine& line) {
    const Words words = words_of(line.text);
    if (read_row(words, line.number)) return;
    if (read_columns(words, line.number)) return;
    if (auto device = parse_device(words, line.number)) {
      start_sweep_after_rows();
      sweep_.devices.push_back(std::move(*device));
      return;
    }
    if (std::find(words.begin(), words.end(), "nThread") != words.end()) start_sweep_after_rows();
    read_title(words);
    read_version(line.text);
    read_average(line.text);
    note_corruption(line);
  }

  bool read_row(const Words& words, int line) {
    const std::optional<std::size_t> at = find_row(words);
    if (!at) return false;
    std::string problem;
    std::optional<NcclTestsRow> row = parse_row(words, *at, problem);
    if (!row) {
      fail("malformed-row", line, "a row of the table is broken: " + problem);
      return true;
    }
    row->line = line;
    if (sweep_.rows.empty()) sweep_.line = line;
    sweep_.rows.push_back(std::move(*row));
    return true;
  }

  bool read_columns(const Words& words, int line) {
    std::string unknown;
    const std::optional<NcclTestsColumns> columns = parse_columns(words, unknown);
    if (!columns) return false;
    if (!unknown.empty()) {
      fail("unknown-column", line,
           fmt::format("the table has a column \"{}\", which is not known", unknown));
    }
    start_sweep_after_rows();
    sweep_.columns = columns;
    return true;
  }

  void read_title(const Words& words) {
    const bool concluded = std::find(words.begin(), words.end(), "concluded:") != words.end();
    if (concluded) return;
    for (const std::string_view word : words) {
      const std::size_t equals = word.find('=');
      const std::string name =
          collective_of_program(equals == std::string_view::npos ? word : word.substr(equals + 1));
      if (name.empty()) continue;
      start_sweep_after_rows();
      sweep_.collective = name;
    }
  }

  void read_version(std::string_view text) {
    if (auto version = find_nccl_version(text)) {
      sweep_.nccl_version = version;
      last_version_ = version;
    }
  }

  void read_average(std::string_view text) {
    constexpr std::string_view kKey = "Avg bus bandwidth";
    const std::size_t at = text.find(kKey);
    if (at == std::string_view::npos) return;
    const Words words = words_of(text.substr(at + kKey.size()));
    for (const std::string_view word : words) {
      if (const auto value = decimal_number(word)) sweep_.avg_busbw = value;
    }
  }

  void note_corruption(const LogLine& line) {
    if (line.text.find("Out of bounds values") == std::string::npos) return;
    if (line.text.find("FAILED") == std::string::npos) return;
    warn("wrong-values", line.number, "the test found wrong values: its times may mean nothing",
         "find out what corrupts data on this machine first");
  }

  void start_sweep_after_rows() {
    if (!sweep_.rows.empty()) finish_sweep();
  }

  void finish_sweep() {
    if (sweep_.rows.empty()) return;
    if (!sweep_.nccl_version) sweep_.nccl_version = last_version_;
    tests_.sweeps.push_back(std::exchange(sweep_, {}));
  }

  void check(NcclTestsSweep& sweep) {
    for (const NcclTestsRow& row : sweep.rows) {
      check_rate(row, row.out_of_place);
      check_rate(row, row.in_place);
    }
    identify(sweep);
  }

  /// Slipped columns and edited numbers show here.
  void check_rate(const NcclTestsRow& row, const NcclTestsTiming& timing) {
    if (!timing.time_us || !timing.algbw) return;
    const double expected = static_cast<double>(row.bytes) / *timing.time_us * 1e-3;
    if (std::abs(expected - *timing.algbw) <= 0.01 + 0.02 * expected) return;
    warn("rate-contradicts-time", row.line,
         fmt::format("{} bytes in {} us are {:.2f} GB/s, but algbw says {} GB/s", row.bytes,
                     *timing.time_us, expected, *timing.algbw),
         "the time is used; check that the columns are as nccl-tests prints them");
  }

  void identify(NcclTestsSweep& sweep) {
    std::set<int> ranks;
    for (const NcclTestsDevice& device : sweep.devices) ranks.insert(device.rank);
    if (!ranks.empty()) sweep.ranks = *ranks.rbegin() + 1;
    if (sweep.ranks && static_cast<int>(ranks.size()) < *sweep.ranks) {
      conclude(sweep, "ranks", fmt::format("{}", *sweep.ranks),
               "the highest rank in a shortened list of devices");
    }
    const std::optional<RatioRange> ratio = ratio_range(sweep);
    if (!sweep.collective) identify_collective(sweep, ratio);
    if (!sweep.ranks) identify_ranks(sweep, ratio);
  }

  void identify_collective(NcclTestsSweep& sweep, const std::optional<RatioRange>& ratio) {
    std::vector<std::string> possible;
    if (ratio) possible = possible_collectives(sweep, *ratio);
    if (possible.size() == 1) {
      sweep.collective = possible.front();
      conclude(sweep, "collective", possible.front(),
               fmt::format("busbw / algbw between {:.4f} and {:.4f}, and the columns", ratio->low,
                           ratio->high));
      return;
    }
    warn("collective-unknown", sweep.line,
         possible.empty()
             ? std::string("nothing tells which collective this is")
             : fmt::format("this may be {}: nothing tells which", fmt::join(possible, " or ")),
         "keep the line above the table that names the program (all_reduce_perf ...)");
  }

  void identify_ranks(NcclTestsSweep& sweep, const std::optional<RatioRange>& ratio) {
    if (ratio && sweep.collective) sweep.ranks = ranks_from_ratio(*sweep.collective, *ratio);
    if (sweep.ranks) {
      conclude(sweep, "ranks", fmt::format("{}", *sweep.ranks),
               fmt::format("busbw / algbw between {:.4f} and {:.4f}", ratio->low, ratio->high));
      return;
    }
    warn("ranks-unknown", sweep.line, "nothing tells how many ranks took part",
         "keep the list of devices above the table");
  }

  void conclude(const NcclTestsSweep& sweep, const char* what, std::string value,
                std::string from) {
    tests_.inferences.push_back({what, std::move(value), std::move(from), sweep.line});
  }

  void warn(std::string code, int line, std::string message, std::string hint) {
    out_.add({Severity::kWarning, std::move(code), file_, "", line, std::move(message),
              std::move(hint)});
  }

  void fail(std::string code, int line, std::string message) {
    out_.error(std::move(code), file_, "", line, std::move(message), kHint);
  }

  const std::string& file_;
  Diagnostics& out_;
  NcclTests tests_;
  NcclTestsSweep sweep_;
  std::optional<std::string> last_version_;
};

/// GPUs of the first sweep: by device number on one host, by rank on several.
std::vector<ImportedGpu> gpus_of(const NcclTestsSweep& sweep) {
  std::set<std::string> hosts;
  for (const NcclTestsDevice& device : sweep.devices) hosts.insert(device.host);
  std::vector<ImportedGpu> gpus;
  for (const NcclTestsDevice& device : sweep.devices) {
    ImportedGpu gpu;
    gpu.number = hosts.size() == 1 ? device.device : device.rank;
    gpu.line = device.line;
    if (device.bus_id.size() == 10) gpu.bus_id = device.bus_id + ".0";  // 0000:b4:00
    gpu.model = device.name;
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::optional<Imported> import_nccl_tests(std::string_view text, const std::string& file,
                                          Diagnostics& out) {
  std::optional<NcclTests> tests = read_nccl_tests(text, file, out);
  if (!tests) return std::nullopt;
  Imported imported;
  imported.gpus = gpus_of(tests->sweeps.front());
  imported.inferences = tests->inferences;
  imported.details = std::make_shared<NcclTestsDetails>(std::move(*tests));
  return imported;
}

int nccl_tests_confidence(std::string_view text) {
  if (text.find("algbw") != std::string_view::npos) return 95;
  int rows = 0;
  for (const LogLine& line : split_log_lines(text)) {
    const Words words = words_of(line.text);
    std::string problem;
    const std::optional<std::size_t> at = find_row(words);
    if (at && parse_row(words, *at, problem) && ++rows == 2) return 85;
  }
  return rows > 0 ? 60 : 0;
}

}  // namespace

std::optional<NcclTests> read_nccl_tests(std::string_view text, const std::string& file,
                                         Diagnostics& out) {
  return Reader(file, out).read(text);
}

ImporterSpec nccl_tests_importer() {
  return {ImportKind::kNcclTests, "nccl-tests", "all_reduce_perf (nccl-tests, rccl-tests)",
          nccl_tests_confidence, import_nccl_tests};
}

}  // namespace heddle::io

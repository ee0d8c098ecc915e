#include "sim/cli/calibrate_sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/cli/input_file.h"
#include "sim/cli/verb_errors.h"

namespace heddle::cli {
namespace {

using schedule::CollectiveKind;

std::optional<CollectiveKind> kind_of(const std::string& name) {
  static const std::map<std::string, CollectiveKind> kKinds{
      {"all_reduce", CollectiveKind::kAllReduce},
      {"all_gather", CollectiveKind::kAllGather},
      {"reduce_scatter", CollectiveKind::kReduceScatter},
      {"broadcast", CollectiveKind::kBroadcast},
  };
  const auto found = kKinds.find(name);
  return found == kKinds.end() ? std::nullopt : std::optional(found->second);
}

bool is_usable(const io::NcclTestsRow& row) {
  const io::NcclTestsTiming& timing = row.out_of_place;
  // "error" of old layouts is a rounding error; #wrong counts elements.
  const bool wrong = timing.wrong && *timing.wrong >= 1;
  return row.bytes > 0 && timing.time_us && *timing.time_us > 0 && !wrong;
}

/// Why the sweep cannot be used, or nothing after it was added.
std::optional<std::string> add(const io::NcclTestsSweep& sweep, const std::string& file,
                               std::optional<int> ranks, std::vector<UsableSweep>& to) {
  if (!sweep.collective) return "which collective it is, nothing tells";
  const std::optional<CollectiveKind> kind = kind_of(*sweep.collective);
  if (!kind) return fmt::format("{} is not fitted", *sweep.collective);
  const std::optional<int> members = sweep.ranks ? sweep.ranks : ranks;
  if (!members) return "how many ranks took part, nothing tells; name the GPUs with --gpus";
  if (*members < 2) return "one rank alone moves nothing";
  UsableSweep usable{file, sweep.line, *kind, *members, sweep.nccl_version, "", {}};
  if (!sweep.devices.empty()) usable.device = sweep.devices.front().name;
  std::copy_if(sweep.rows.begin(), sweep.rows.end(), std::back_inserter(usable.rows), is_usable);
  if (usable.rows.empty()) return "no row has a size and a time";
  to.push_back(std::move(usable));
  return std::nullopt;
}

}  // namespace

SweepCollection read_sweeps(const std::vector<std::string>& files, std::optional<int> ranks,
                            Diagnostics& doubts) {
  SweepCollection collection;
  Diagnostics problems;
  for (const std::string& file : files) {
    const auto tests = io::read_nccl_tests(read_input(file), file, problems);
    if (!tests) continue;
    for (const io::NcclTestsSweep& sweep : tests->sweeps) {
      if (const auto reason = add(sweep, file, ranks, collection.sweeps)) {
        collection.skipped.push_back(fmt::format("{}:{}: {}", file, sweep.line, *reason));
      }
    }
  }
  if (problems.has_errors()) throw BadInput(std::move(problems));
  for (const Diagnostic& doubt : problems.all()) doubts.add(doubt);
  return collection;
}

}  // namespace heddle::cli

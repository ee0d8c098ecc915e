#include "tests/support/uneven_all_to_all.h"

#include <array>
#include <vector>

namespace heddle::test {
namespace {

constexpr Bandwidth kLink{400'000'000'000};
constexpr double kBytes = 64.0 * (1 << 20);

}  // namespace

double UnevenShares::next() {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return 0.5 + static_cast<double>(state_ >> 11) / 9007199254740992.0;
}

AllToAllRun run_uneven_all_to_all(std::uint32_t ranks) {
  const std::vector<Bandwidth> links(2 * std::size_t{ranks}, kLink);  // up, then down
  engine::FlowSet flows(links, 2);
  UnevenShares shares;
  AllToAllRun run;
  for (std::uint32_t from = 0; from < ranks; ++from) {
    for (std::uint32_t distance = 1; distance < ranks; ++distance) {
      const std::array path{from, ranks + (from + distance) % ranks};
      flows.add({static_cast<std::int64_t>(kBytes / ranks * shares.next())}, path);
      ++run.flows;
    }
  }
  while (!flows.run_to_next_end().empty()) ++run.moments;
  run.end = flows.now();
  return run;
}

}  // namespace heddle::test

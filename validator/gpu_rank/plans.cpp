#include "validator/gpu_rank/plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "validator/device/claim.h"
#include "validator/device/stream_needs.h"

namespace heddle::gpu_rank {

using device::Claim;
using device::Failure;
using device::FailureKind;
using gpu::Problem;

namespace {

/// By communicator.
struct OwnPlan {
  std::vector<std::vector<Claim>> claims;
  std::vector<std::vector<std::uint32_t>> ops;
};

OwnPlan own_plan(const schedule::Schedule& s, int rank) {
  OwnPlan plan;
  plan.claims.resize(s.communicators.size());
  plan.ops.resize(s.communicators.size());
  const auto& ops = device::program_of(s, rank).ops;
  for (std::uint32_t at = 0; at < ops.size(); ++at) {
    if (ops[at].kind != schedule::OpKind::kCollective) continue;
    device::CollectiveView view;
    view.collective = s.collectives[ops[at].arg];
    const std::size_t c = view.collective.communicator.index();
    view.number = plan.ops[c].size();
    plan.claims[c].push_back(device::claim_of(view));
    plan.ops[c].push_back(at);
  }
  return plan;
}

}  // namespace

/// By communicator: how many, then they.
std::string plan_text(const schedule::Schedule& schedule, int rank) {
  std::string text;
  for (const auto& claims : own_plan(schedule, rank).claims) {
    const std::uint64_t count = claims.size();
    text.append(reinterpret_cast<const char*>(&count), sizeof count);
    text.append(reinterpret_cast<const char*>(claims.data()), count * sizeof(Claim));
  }
  return text;
}

namespace {

std::vector<std::vector<Claim>> read_plan(std::string_view text, std::size_t communicators) {
  std::vector<std::vector<Claim>> plan;
  for (std::size_t c = 0; c < communicators && text.size() >= sizeof(std::uint64_t); ++c) {
    std::uint64_t count = 0;
    std::memcpy(&count, text.data(), sizeof count);
    text.remove_prefix(sizeof count);
    count = std::min<std::uint64_t>(count, text.size() / sizeof(Claim));
    plan.emplace_back(count);
    if (count > 0) std::memcpy(plan.back().data(), text.data(), count * sizeof(Claim));
    text.remove_prefix(count * sizeof(Claim));
  }
  plan.resize(communicators);
  return plan;
}

}  // namespace

Problem compare_plans(const schedule::Schedule& schedule, int rank,
                      const std::vector<std::string>& plans) {
  const auto mine = own_plan(schedule, rank).claims;
  for (std::size_t other = 0; other < plans.size(); ++other) {
    const auto theirs = read_plan(plans[other], mine.size());
    for (std::size_t c = 0; c < mine.size(); ++c) {
      const std::size_t common = std::min(mine[c].size(), theirs[c].size());
      const auto end = mine[c].begin() + static_cast<std::ptrdiff_t>(common);
      const auto differs = std::mismatch(mine[c].begin(), end, theirs[c].begin());
      if (differs.first == end) continue;
      return Failure{FailureKind::kMismatch,
                     fmt::format("on communicator {} rank {} runs {}; rank {} runs {}",
                                 schedule.communicators[c].name, rank, to_text(*differs.first),
                                 other, to_text(*differs.second))};
    }
  }
  return std::nullopt;
}

std::vector<std::uint32_t> largest_common(const schedule::Schedule& schedule, int rank,
                                          const std::vector<std::string>& plans) {
  const OwnPlan mine = own_plan(schedule, rank);
  std::vector<std::uint32_t> ops;
  for (std::size_t c = 0; c < mine.claims.size(); ++c) {
    std::size_t common = mine.claims[c].size();
    for (int member = 0; member < schedule.rank_count(); ++member) {
      if (schedule::position_in_group(schedule.communicators[c], member) < 0) continue;
      const auto theirs =
          read_plan(plans[static_cast<std::size_t>(member)], schedule.communicators.size());
      common = std::min(common, theirs[c].size());
    }
    std::map<std::int32_t, std::size_t> largest;  // number, by kind
    for (std::size_t number = 0; number < common; ++number) {
      const Claim& claim = mine.claims[c][number];
      const auto found = largest.try_emplace(claim.kind, number).first;
      if (claim.bytes > mine.claims[c][found->second].bytes) found->second = number;
    }
    for (const auto& [kind, number] : largest) ops.push_back(mine.ops[c][number]);
  }
  return ops;
}

}  // namespace heddle::gpu_rank

// What holds on any wiring, in one machine and over several.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_wirings.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using collective::CollectiveCost;
using collective::CollectiveModel;
using collective::CommSettings;
using schedule::CollectiveKind;

// The model that a cost points into has to outlive it.
struct Answer {
  CollectiveModel model;
  CollectiveCost cost;
};

Answer answer(const fabric::Fabric& fabric, const std::vector<fabric::DeviceId>& members,
              const CommSettings& settings = {}) {
  CollectiveModel model = model_of(fabric, members, settings);
  const CollectiveCost cost = model.cost({CollectiveKind::kAllReduce, gigabytes(1)});
  return {std::move(model), cost};
}

CommSettings ring_simple() {
  CommSettings settings;
  settings.algorithm = collective::Algorithm::kRing;
  settings.protocol = collective::Protocol::kSimple;
  return settings;
}

/// Some link that the answer uses, or one that it does not.
std::optional<fabric::LinkId> pick(const fabric::Fabric& fabric, const CollectiveCost& cost,
                                   bool used, Rng& rng) {
  std::vector<bool> is_used(fabric.links().size(), false);
  for (const collective::LinkUse& use : cost.uses) is_used[use.link.index()] = true;
  std::vector<fabric::LinkId> fitting;
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] == used) fitting.emplace_back(i);
  }
  if (fitting.empty()) return std::nullopt;
  const auto last = static_cast<std::int64_t>(fitting.size()) - 1;
  return fitting[static_cast<std::size_t>(rng.uniform_int(0, last))];
}

/// Rings may go around a link that becomes too slow; then it need not matter.
bool uses(const CollectiveCost& cost, fabric::LinkId link) {
  return std::any_of(cost.uses.begin(), cost.uses.end(),
                     [&](const collective::LinkUse& use) { return use.link == link; });
}

fabric::Fabric derated(const fabric::Fabric& fabric, fabric::LinkId which, std::int64_t by) {
  return with_links(fabric, [&](fabric::LinkId id, fabric::Link& link) {
    if (id == which) link.capacity.bytes_per_second /= by;
  });
}

TEST(WiringProperties, ALinkThatIsNotUsedDoesNotMatter) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Job job = random_job(rng);
    const Answer before = answer(job.fabric, job.members);
    const auto unused = pick(job.fabric, before.cost, false, rng);
    if (!unused) return;
    const Answer after = answer(derated(job.fabric, *unused, 2), job.members);
    EXPECT_EQ(after.cost.total, before.cost.total) << job.fabric.link_name(*unused);
    EXPECT_EQ(after.cost.algorithm, before.cost.algorithm);
  });
}

TEST(WiringProperties, AUsedLinkMattersWhenSlowEnough) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Job job = random_job(rng);
    const Answer before = answer(job.fabric, job.members);
    const auto used = pick(job.fabric, before.cost, true, rng);
    ASSERT_TRUE(used.has_value());
    const Answer after = answer(derated(job.fabric, *used, 1'000), job.members);
    EXPECT_TRUE(after.cost.total > before.cost.total || !uses(after.cost, *used))
        << job.fabric.link_name(*used);
  });
}

TEST(WiringProperties, TheLimitingLinkMattersAtOnce) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Job job = random_job(rng);
    const Answer before = answer(job.fabric, job.members, ring_simple());
    if (!before.cost.limiting_link) return;
    const fabric::Fabric slower = with_links(job.fabric, [&](fabric::LinkId id, auto& link) {
      if (id == *before.cost.limiting_link) link.capacity.bytes_per_second -= 1'000'000;
    });
    const Answer after = answer(slower, job.members, ring_simple());
    EXPECT_TRUE(after.cost.rate != before.cost.rate ||
                !uses(after.cost, *before.cost.limiting_link))
        << job.fabric.link_name(*before.cost.limiting_link);
  });
}

TEST(WiringProperties, LabelsDoNotMatter) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Job job = random_job(rng);
    const Answer before = answer(job.fabric, job.members);
    const Job other = relabelled(job, rng);
    const Answer after = answer(other.fabric, other.members);
    EXPECT_EQ(after.cost.total, before.cost.total);
    EXPECT_EQ(after.cost.algorithm, before.cost.algorithm);
    EXPECT_EQ(after.cost.channels, before.cost.channels);
  });
}

TEST(WiringProperties, TwiceTheCapacityIsNeverSlower) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    const Job job = random_job(rng);
    const fabric::Fabric twice = with_links(
        job.fabric, [](fabric::LinkId, fabric::Link& link) { link.capacity = link.capacity * 2; });
    EXPECT_GE(answer(twice, job.members, ring_simple()).cost.rate,
              answer(job.fabric, job.members, ring_simple()).cost.rate);
  });
}

}  // namespace
}  // namespace heddle::test

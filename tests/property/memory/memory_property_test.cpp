// Memory of random settings of the founding scenario's model, cut to two layers: what must hold
// whatever the strategy, dialect and options are.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw_models/catalog.h"
#include "sim/base/rng.h"
#include "sim/io/file.h"
#include "sim/io/scenario_reader.h"
#include "sim/run/study.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const std::string kRoot = HEDDLE_SOURCE_DIR;

const run::HardwareCatalog& catalog() {
  static const auto kCatalog = hw_models::open_catalog(kRoot + "/hw_models");
  return *kCatalog;
}

template <std::size_t N>
std::string one_of(Rng& rng, const std::array<const char*, N>& words) {
  return words[static_cast<std::size_t>(rng.uniform_int(0, static_cast<std::int64_t>(N) - 1))];
}

Settings random_settings(Rng& rng) {
  return {{"model.layers", "2"},
          {"training.sequence_length", one_of(rng, std::array{"64", "512", "2048"})},
          {"training.micro_batch", one_of(rng, std::array{"1", "2"})},
          {"training.steps", "3"},
          {"training.checkpointing", one_of(rng, std::array{"none", "full", "selective"})},
          {"training.optimizer.kernel", one_of(rng, std::array{"foreach", "fused", "for_loop"})},
          {"training.gradient_clipping", one_of(rng, std::array{"true", "false"})},
          {"training.keep_outputs", one_of(rng, std::array{"true", "false"})},
          {"training.accumulation", one_of(rng, std::array{"1", "2"})},
          {"allocator", one_of(rng, std::array{"", "expandable_segments:True"})},
          {"strategies", one_of(rng, std::array{R"(["ddp"])", R"(["zero1"])", R"(["zero2"])",
                                                R"(["zero3"])", R"(["fsdp"])",
                                                R"([{"strategy": "fsdp", "dialect": "fsdp2"}])"})}};
}

/// nullopt where the settings are refused.
std::optional<run::CaseResult> run_with(Settings settings, const std::string& gpus) {
  settings.emplace_back("fabrics",
                        R"([{"id": "quad", "node": "8xH200-SXM", "gpus": )" + gpus + "}]");
  Diagnostics problems;
  const std::string file = kRoot + "/scenarios/mistral-7b-4xh200.json";
  auto scenario = io::read_scenario(io::read_file(file), file, settings, io::read_file, problems);
  if (!scenario) return std::nullopt;
  const auto study = run::Study::create(std::move(*scenario), catalog(), io::read_file, problems);
  if (!study) return std::nullopt;
  return study->run(study->cases().front(), true);
}

void expect_ladder(const engine::RankResult& rank) {
  for (const engine::AllocatorSample& sample : rank.allocator->samples) {
    ASSERT_LE(sample.allocated, sample.active);
    ASSERT_LE(sample.active, sample.reserved);
  }
  EXPECT_LE(rank.peak.total(), rank.allocator->peak_active.active);
}

void expect_sums(const engine::RankResult& rank) {
  for (const engine::MemorySample& sample : rank.memory) {
    Bytes sum;
    for (const Bytes bytes : sample.by_category) {
      ASSERT_GE(bytes, Bytes{});
      sum += bytes;
    }
    ASSERT_EQ(sum, sample.total());
    ASSERT_LE(sum, rank.peak.total());
  }
}

/// A steady step gives back what it took: the last two hold the same after their optimizer.
void expect_balance(const engine::RankResult& rank) {
  ASSERT_EQ(rank.after_optimizer.size(), 3U);
  EXPECT_EQ(rank.after_optimizer[1].by_category, rank.after_optimizer[2].by_category);
}

TEST(MemoryProperty, LaddersSumsAndBalanceHoldForEverySetting) {
  int ran = 0;
  for_each_seed([&](std::uint64_t seed) {
    Rng rng(seed);
    const auto result = run_with(random_settings(rng), "[0, 1, 2, 3]");
    if (!result) return;
    ++ran;
    for (const engine::RankResult& rank : result->run.ranks) {
      expect_ladder(rank);
      expect_sums(rank);
      expect_balance(rank);
    }
  });
  EXPECT_GT(ran, 100) << "most settings are modelled";
}

TEST(MemoryProperty, OtherNamesOfTheGpusAndAnotherRunChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const Settings settings = random_settings(rng);
    const auto first = run_with(settings, "[0, 1, 2, 3]");
    const auto again = run_with(settings, "[0, 1, 2, 3]");
    const auto renamed = run_with(settings, "[6, 3, 5, 0]");
    if (!first) continue;
    for (const auto* other : {&again, &renamed}) {
      EXPECT_EQ(first->memory.peak_allocated, (*other)->memory.peak_allocated);
      EXPECT_EQ(first->memory.peak_active, (*other)->memory.peak_active);
      EXPECT_EQ(first->memory.peak_reserved, (*other)->memory.peak_reserved);
      EXPECT_EQ(first->memory.resident, (*other)->memory.resident);
    }
  }
}

}  // namespace
}  // namespace heddle::test

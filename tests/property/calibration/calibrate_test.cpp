// The circle: a machine's times as nccl-tests would print them, calibrated from the texts, used.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hw_models/catalog.h"
#include "hw_models/overlay.h"
#include "sim/base/check.h"
#include "sim/base/rng.h"
#include "sim/cli/cli.h"
#include "sim/io/file.h"
#include "sim/run/machine.h"

namespace heddle {
namespace {

using schedule::CollectiveKind;

constexpr const char* kTruth = R"({"schema": "heddle.overlay/1", "name": "truth", "summary": "test",
  "comm": {
    "ring_efficiency": {"value": "84 %", "kind": "measured", "date": "2026-11", "source": "test"},
    "nvls_efficiency": {"value": "74 %", "kind": "measured", "date": "2026-11", "source": "test"}}})";

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

class Calibrate : public testing::Test {
 protected:
  Calibrate() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::path(testing::TempDir()) / (std::string("heddle_cal_") + info->name());
    std::filesystem::create_directories(folder_);
    io::write_file(path("truth.overlay.json"), kTruth);
  }
  ~Calibrate() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Outcome call(std::vector<std::string> arguments) const {
    std::vector<const char*> argv{"heddle"};
    for (const std::string& a : arguments) argv.push_back(a.c_str());
    std::ostringstream out;
    std::ostringstream err;
    const int code = cli::run_cli(static_cast<int>(argv.size()), argv.data(),
                                  {*catalog_, HEDDLE_SOURCE_DIR, out, err});
    return {code, out.str(), err.str()};
  }

  run::Machine machine(int ranks, const std::string& overlay) const {
    run::FabricChoice choice;
    choice.node = "8xH200-SXM";
    for (int gpu = 0; gpu < ranks; ++gpu) choice.gpus.push_back({0, gpu});
    if (!overlay.empty()) choice.overlay = choice.overlay_file = path(overlay);
    Diagnostics out;
    auto found = run::resolve_machine(choice, "test", *catalog_, io::read_file, out);
    HEDDLE_CHECK(found.has_value(), format(out.all().front()));
    return std::move(*found);
  }

  /// What nccl-tests would print on the machine with the truth's values, 2 % noise.
  std::string sweep_text(const std::string& program, CollectiveKind kind, int ranks,
                         std::int64_t largest) const {
    const run::Machine truth = machine(ranks, "truth.overlay.json");
    Rng rng(5);
    std::string text =
        "NCCL version 2.23.4+cuda12.6\n# Collective test starting: " + program + "\n";
    for (int rank = 0; rank < ranks; ++rank) {
      text += fmt::format(
          "#  Rank {:2} Group  0 Pid 1 on box device {:2} [0000:{:02x}:00] NVIDIA H200\n", rank,
          rank, 16 + rank);
    }
    for (std::int64_t size = 8; size <= largest; size *= 2) {
      double noise = -6;
      for (int i = 0; i < 12; ++i) noise += rng.uniform();
      const double us =
          truth.world.cost({kind, Bytes{size}}).total.seconds() * 1e6 * std::exp(0.02 * noise);
      const double algbw = static_cast<double>(size) / us * 1e-3;
      text += fmt::format("{:12} {:12} float sum -1 {:9.2f} {:7.2f} {:7.2f} 0\n", size, size / 4,
                          us, algbw, algbw * collective::CollectiveModel::bus_factor(kind, ranks));
    }
    return text;
  }

  std::unique_ptr<run::HardwareCatalog> catalog_ =
      hw_models::open_catalog(HEDDLE_SOURCE_DIR "/hw_models");

 private:
  std::filesystem::path folder_;
};

void expect_near(const std::optional<hw_models::Sourced<double>>& found, double truth) {
  ASSERT_TRUE(found);
  const double sigma = found->origin.sigma_percent / 100;
  EXPECT_LT(std::abs(found->value / truth - 1), 2.5 * sigma);
  EXPECT_LT(sigma, 0.06);
  EXPECT_EQ(found->origin.kind, "calibrated");
  EXPECT_EQ(found->origin.date, "2026-11-29");
  EXPECT_NE(found->origin.source.find("NCCL 2.23.4"), std::string::npos);
}

TEST_F(Calibrate, GivesBackTheTruthAndChangesPredictions) {
  constexpr std::int64_t kLargest = 8LL << 30;
  io::write_file(path("reduce.txt"),
                 sweep_text("all_reduce_perf", CollectiveKind::kAllReduce, 8, kLargest));
  io::write_file(path("gather.txt"),
                 sweep_text("all_gather_perf", CollectiveKind::kAllGather, 8, kLargest));
  const Outcome outcome =
      call({"calibrate", "--from-nccl-tests", path("reduce.txt"), path("gather.txt"), "--node",
            "8xH200-SXM", "--date", "2026-11-29", "-o", path("my.overlay.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("pcie_ring_efficiency: no row depends on it"), std::string::npos)
      << outcome.out;

  Diagnostics out;
  const auto overlay =
      hw_models::read_overlay({"my.overlay.json", "", io::read_file(path("my.overlay.json"))}, out);
  ASSERT_TRUE(overlay);
  expect_near(overlay->comm.ring_efficiency, 0.84);
  expect_near(overlay->comm.nvls_efficiency, 0.74);
  EXPECT_FALSE(overlay->comm.pcie_ring_efficiency);

  const auto seconds = [&](const std::string& name) {
    const collective::CollectiveRequest request{CollectiveKind::kAllReduce, Bytes{4LL << 30}};
    return machine(8, name).world.cost(request).total.seconds();
  };
  const double truth = seconds("truth.overlay.json");
  EXPECT_NEAR(seconds("my.overlay.json") / truth, 1, 0.02);
  EXPECT_GT(std::abs(seconds("") / truth - 1), 0.04);
}

TEST_F(Calibrate, SaysWhenNothingCanBeDetermined) {
  io::write_file(path("small.txt"),
                 sweep_text("all_reduce_perf", CollectiveKind::kAllReduce, 8, 1024));
  const Outcome outcome = call({"calibrate", "--from-nccl-tests", path("small.txt"), "--node",
                                "8xH200-SXM", "--date", "2026-11-29", "-o", path("x.json")});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.out.find("ring_efficiency: no row depends on it"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("x.json")));
}

TEST_F(Calibrate, RefusesSeveralMachinesOfAText) {
  io::write_file(path("small.txt"),
                 sweep_text("all_reduce_perf", CollectiveKind::kAllReduce, 8, 1024));
  const std::vector<std::pair<const char*, const char*>> kClusters{{"--network", "ib-ndr-rail"},
                                                                   {"--nodes", "2"}};
  for (const auto& [option, value] : kClusters) {
    const Outcome outcome =
        call({"calibrate", "--from-nccl-tests", path("small.txt"), "--import", path("topo.txt"),
              option, value, "--date", "2026-11-29", "-o", path("x.json")});
    EXPECT_EQ(outcome.code, 3) << option;
    EXPECT_NE(outcome.err.find("several of it are not modelled"), std::string::npos) << outcome.err;
  }
}

TEST_F(Calibrate, RefusesWhatItCannotRead) {
  io::write_file(path("cut.txt"), "8 2 float sum -1 10.0 0.0\n");
  const auto with = [&](const std::string& file) {
    return call({"calibrate", "--from-nccl-tests", path(file), "--node", "8xH200-SXM", "--date",
                 "2026-11-29", "-o", path("x.json")});
  };
  EXPECT_EQ(with("cut.txt").code, 3);
  EXPECT_NE(with("cut.txt").err.find("cut.txt:1"), std::string::npos);
  EXPECT_EQ(with("missing.txt").code, 3);
  for (const char* date : {"today", "2026--1-29", "2026-11"}) {
    EXPECT_EQ(call({"calibrate", "--from-nccl-tests", path("cut.txt"), "--date", date, "-o",
                    path("x.json"), "--node", "8xH200-SXM"})
                  .code,
              2)
        << date;
  }
}

}  // namespace
}  // namespace heddle

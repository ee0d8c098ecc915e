// Every algorithm of the table against its declared closed form on equal ports: an algorithm added
// to the table is tested here without a new line.

#include <gtest/gtest.h>

#include <map>

#include "sim/collective/algorithms.h"
#include "tests/support/collective_machines.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

struct Instance {
  const AlgorithmSpec* spec = nullptr;
  CollectiveKind kind = CollectiveKind::kAllReduce;
  int ranks = 0;
};

/// Those that run on several machines only have their own tests.
bool runs_on_one_machine(const AlgorithmSpec& spec) {
  return spec.algorithm != Algorithm::kNvlsTree && spec.algorithm != Algorithm::kPat;
}

std::vector<Instance> instances() {
  std::vector<Instance> all;
  for (const AlgorithmSpec& spec : algorithms()) {
    for (CollectiveKind kind : schedule::kCollectiveKinds) {
      if (!spec.runs(kind) || !runs_on_one_machine(spec)) continue;
      for (int ranks = 2; ranks <= 8; ++ranks) all.push_back({&spec, kind, ranks});
    }
  }
  return all;
}

class AlgorithmConformance : public ::testing::TestWithParam<Instance> {
 protected:
  CollectiveCost cost() {
    CommSettings settings;
    settings.algorithm = GetParam().spec->algorithm;
    settings.protocol = Protocol::kSimple;
    const auto ranks = static_cast<std::size_t>(GetParam().ranks);
    model_ = test::model_of(node_, test::first_gpus(ranks), settings);
    return model_->cost({GetParam().kind, gigabytes(1)});
  }
  double port_share() const {
    const Share share = GetParam().spec->port_share(GetParam().kind, GetParam().ranks);
    return static_cast<double>(share.num) / static_cast<double>(share.den);
  }

  fabric::Fabric node_ = test::nvswitch_node(test::h200_sxm());
  std::optional<CollectiveModel> model_;
};

TEST_P(AlgorithmConformance, RateIsTheDeclaredClosedForm) {
  const CollectiveCost found = cost();
  ASSERT_EQ(found.algorithm, GetParam().spec->algorithm);
  const bool is_nvls = found.algorithm == Algorithm::kNvls;
  const double efficiency = is_nvls ? *node_.comm().nvls_efficiency : node_.comm().ring_efficiency;
  const double rate = efficiency * 370.8e9 / port_share();
  EXPECT_NEAR(static_cast<double>(found.rate.bytes_per_second), rate, 1e-8 * rate);
  EXPECT_NEAR(found.total.seconds(), found.latency.seconds() + 1e9 / rate, 1e-9);
}

TEST_P(AlgorithmConformance, NoPortCarriesMoreThanDeclared) {
  std::int64_t most = 0;
  for (const LinkUse& use : cost().uses) {
    most = std::max(most, use.bytes_ppb);
    EXPECT_GE(use.occupancy_ppb, use.bytes_ppb);
  }
  EXPECT_NEAR(static_cast<double>(most) * 1e-9, port_share(), 1e-9);
}

TEST_P(AlgorithmConformance, WhatEntersTheSwitchLeavesIt) {
  std::int64_t balance = 0;
  for (const LinkUse& use : cost().uses) {
    const bool enters = node_.device(node_.link(use.link).from).kind == fabric::DeviceKind::kGpu;
    balance += enters ? use.bytes_ppb : -use.bytes_ppb;
  }
  EXPECT_EQ(balance, 0);
}

std::string instance_name(const ::testing::TestParamInfo<Instance>& info) {
  return std::string(to_string(info.param.spec->algorithm)) + "_" +
         std::string(schedule::to_string(info.param.kind)) + "_" + std::to_string(info.param.ranks);
}

INSTANTIATE_TEST_SUITE_P(Table, AlgorithmConformance, ::testing::ValuesIn(instances()),
                         instance_name);

}  // namespace
}  // namespace heddle::collective

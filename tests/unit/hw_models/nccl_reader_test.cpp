#include "hw_models/nccl_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace heddle::hw_models {
namespace {

DataFile nccl_file(const std::string& stem) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/hw_models/nccl/" + stem + ".json";
  std::ifstream stream(path);
  return {path, stem, {std::istreambuf_iterator<char>(stream), {}}};
}

TEST(NcclReader, HopperAsInTheSourceOfNccl) {
  Diagnostics problems;
  const auto tuning = read_nccl(nccl_file("hopper"), problems);
  ASSERT_TRUE(tuning.has_value()) << format(problems.all().front());
  EXPECT_EQ(tuning->ring_speeds.size(), 11U);
  EXPECT_EQ(tuning->ring_speeds.front(), Bandwidth{60'000'000'000});
  EXPECT_EQ(of(tuning->ring_pcie_hop, collective::Protocol::kLl128), nanoseconds(2'500));
  ASSERT_TRUE(tuning->nvls.has_value());
  EXPECT_EQ(tuning->nvls->latency, microseconds(25));
}

TEST(NcclReader, AmpereHasNoSwitchReduction) {
  Diagnostics problems;
  const auto tuning = read_nccl(nccl_file("ampere"), problems);
  ASSERT_TRUE(tuning.has_value()) << format(problems.all().front());
  EXPECT_FALSE(tuning->nvls.has_value());
  EXPECT_EQ(tuning->ll_bus_cap, Bandwidth{87'700'000'000});
}

TEST(NcclReader, RisingSpeedsAreRefused) {
  DataFile file = nccl_file("hopper");
  const std::string fastest = "\"60 GB/s\"";
  file.text.replace(file.text.find(fastest), fastest.size(), "\"10 GB/s\"");
  Diagnostics problems;
  EXPECT_FALSE(read_nccl(file, problems).has_value());
  EXPECT_EQ(problems.all().front().code, "bad-order");
}

}  // namespace
}  // namespace heddle::hw_models

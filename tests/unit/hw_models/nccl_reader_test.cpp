#include "hw_models/nccl_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "hw_models/catalog.h"

namespace heddle::hw_models {
namespace {

using collective::at_scale;
using collective::at_size;
using collective::NcclVersion;
using collective::Protocol;

constexpr Bandwidth gb_per_s(std::int64_t n) {
  return {n * 1'000'000'000};
}

std::string hw_folder() {
  return std::string(HEDDLE_SOURCE_DIR) + "/hw_models";
}

DataFile nccl_file(const std::string& version, const std::string& stem) {
  const std::string path = hw_folder() + "/nccl/" + version + "/" + stem + ".json";
  std::ifstream stream(path);
  return {path, stem, {std::istreambuf_iterator<char>(stream), {}}};
}

collective::NcclTuning read(const std::string& version, const std::string& stem) {
  Diagnostics problems;
  const auto tuning = read_nccl(nccl_file(version, stem), problems);
  EXPECT_TRUE(tuning.has_value()) << format(problems.all().front());
  return tuning.value_or(collective::NcclTuning{});
}

TEST(NcclReader, HopperAsInTheSourceOfNccl) {
  const auto tuning = read("2.27", "hopper");
  EXPECT_EQ(tuning.ring_speeds.size(), 11U);
  EXPECT_EQ(tuning.ring_speeds.front(), gb_per_s(60));
  EXPECT_EQ(of(tuning.ring_pcie_hop, Protocol::kLl128), nanoseconds(2'500));
  ASSERT_TRUE(tuning.nvls.has_value());
  EXPECT_EQ(tuning.nvls->latency, microseconds(25));
  EXPECT_EQ(tuning.nvls->payload_share, std::nullopt);
}

TEST(NcclReader, NetworkAndTreesAsInTheSourceOfNccl) {
  const auto tuning = read("2.27", "hopper");
  EXPECT_EQ(tuning.network.ring_speeds.front(), gb_per_s(48));
  EXPECT_EQ(of(tuning.network.ring_hop, Protocol::kSimple), microseconds(14));
  EXPECT_EQ(of(tuning.tree.network_hop, Protocol::kLl128), nanoseconds(8'500));
  EXPECT_EQ(at_scale(tuning.tree.channel_cap, 1), Bandwidth{38'700'000'000});
  EXPECT_EQ(at_scale(tuning.tree.channel_cap, 2), Bandwidth{41'400'000'000});
  EXPECT_EQ(at_scale(tuning.tree.channel_cap, 64), gb_per_s(36));
  ASSERT_TRUE(tuning.nvls_tree.has_value());
  EXPECT_EQ(at_scale(tuning.nvls_tree->channel_cap, 2), Bandwidth{57'700'000'000});
  ASSERT_TRUE(tuning.pat.has_value());
  EXPECT_EQ(tuning.pat->network_hop, microseconds(4));  // 14 us / 3.5
}

// 64 KiB is 2^10 units of 64 B, 1 MiB 2^14; the table's dips are there. Below 64 B and from 512 MiB
// on nothing is taken off.
TEST(NcclReader, MediumTreesAreDerated) {
  const auto share = read("2.23", "ampere").tree.size_share;
  EXPECT_EQ(at_size(of(share, Protocol::kLl), Bytes{64 << 10}), 0.6);
  EXPECT_EQ(at_size(of(share, Protocol::kSimple), mebibytes(1)), 0.5);
  EXPECT_EQ(at_size(of(share, Protocol::kSimple), mebibytes(1) + Bytes{1}), 0.5);
  EXPECT_EQ(at_size(of(share, Protocol::kSimple), Bytes{63}), 1.0);
  EXPECT_EQ(at_size(of(share, Protocol::kSimple), gibibytes(1)), 1.0);
}

TEST(NcclReader, AmpereHasNoSwitchReduction) {
  const auto tuning = read("2.23", "ampere");
  EXPECT_FALSE(tuning.nvls.has_value());
  EXPECT_EQ(tuning.ll_bus_cap, Bandwidth{87'700'000'000});
}

TEST(NcclReader, RisingSpeedsAreRefused) {
  DataFile file = nccl_file("2.27", "hopper");
  const std::string fastest = "\"60 GB/s\"";
  file.text.replace(file.text.find(fastest), fastest.size(), "\"10 GB/s\"");
  Diagnostics problems;
  EXPECT_FALSE(read_nccl(file, problems).has_value());
  EXPECT_EQ(problems.all().front().code, "bad-order");
}

TEST(NcclReader, ListsOfTheWrongLengthAreRefusedWithTheirPlace) {
  DataFile file = nccl_file("2.27", "hopper");
  const std::string base = R"(["6.6 us", "14 us", "8.4 us"])";
  file.text.replace(file.text.find(base), base.size(), R"(["6.6 us"])");
  Diagnostics problems;
  EXPECT_FALSE(read_nccl(file, problems).has_value());
  EXPECT_EQ(problems.all().front().code, "bad-length");
  EXPECT_EQ(problems.all().front().pointer, "/ring_base/value");
}

class NcclVersions : public testing::Test {
 protected:
  std::optional<collective::NcclTuning> find(const std::string& architecture,
                                             const std::string& version) {
    return catalog_->nccl_tuning(architecture, version, problems_);
  }
  const std::unique_ptr<run::HardwareCatalog> catalog_ = open_catalog(hw_folder());
  Diagnostics problems_;
};

TEST_F(NcclVersions, TheTableThatCoversAVersionIsTaken) {
  EXPECT_FALSE(find("hopper", "2.16.5")->nvls.has_value());  // in-switch reduction came with 2.17
  EXPECT_EQ(find("hopper", "2.18.3")->nvls->latency, microseconds(23));
  EXPECT_EQ(find("hopper", "2.26.2")->nvls->latency, microseconds(25));
  EXPECT_TRUE(find("hopper", "2.26.2")->nvls->payload_share.has_value());
  EXPECT_EQ(find("hopper", "")->versions.since, (NcclVersion{2, 27, 0}));
  EXPECT_EQ(find("hopper", "2.99")->versions.since, (NcclVersion{2, 27, 0}));
}

TEST_F(NcclVersions, UnknownOnesAreRefusedWithAList) {
  EXPECT_FALSE(find("blackwell", "2.18").has_value());
  EXPECT_FALSE(find("hopper", "2.9").has_value());
  EXPECT_FALSE(find("hopper", "newest").has_value());
  ASSERT_EQ(problems_.all().size(), 3U);
  EXPECT_EQ(problems_.all()[0].code, "unknown-nccl");
  EXPECT_EQ(problems_.all()[0].hint, "known are 2.25 up to before 2.27, 2.27 and later");
}

TEST_F(NcclVersions, UnknownArchitecturesAreRefused) {
  EXPECT_FALSE(find("hoper", "").has_value());
  EXPECT_EQ(problems_.all().front().code, "unknown-name");
  EXPECT_NE(problems_.all().front().hint.find("hopper"), std::string::npos);
}

TEST_F(NcclVersions, EveryArchitectureReads) {
  for (const char* name :
       {"pascal", "volta", "turing", "ampere", "ada", "hopper", "blackwell", "cdna2", "cdna3"}) {
    EXPECT_TRUE(find(name, "").has_value()) << name;
  }
  EXPECT_TRUE(problems_.all().empty());
}

TEST(NcclVersion, IsTwoOrThreeNumbers) {
  EXPECT_EQ(NcclVersion::parse("2.18"), (NcclVersion{2, 18, 0}));
  EXPECT_EQ(NcclVersion::parse("2.18.3"), (NcclVersion{2, 18, 3}));
  for (const char* text : {"", "2", "2.", "2.18.", "2.18.3.1", "v2.18", "2.-1", "2.1000"}) {
    EXPECT_EQ(NcclVersion::parse(text), std::nullopt) << text;
  }
  EXPECT_LT(*NcclVersion::parse("2.9"), *NcclVersion::parse("2.10"));
}

}  // namespace
}  // namespace heddle::hw_models

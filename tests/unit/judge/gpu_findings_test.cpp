#include "validator/judge/gpu_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/io/file.h"

namespace heddle::judge {
namespace {

using ::testing::HasSubstr;

/// 100 GB predicted against 98 measured are 2.04 % too many, against 99 they are 1.01 %.
TEST(GpuFindings, ReservedMemoryAgreesWithinTwoPercent) {
  GpuFindings findings;
  findings.predicted_reserved = gigabytes(100);
  findings.measured_reserved = gigabytes(98);
  EXPECT_NEAR(findings.reserved_error(), 0.0204, 1e-4);
  EXPECT_FALSE(findings.reserved_agrees());
  findings.measured_reserved = gigabytes(99);
  EXPECT_TRUE(findings.reserved_agrees());
}

/// 11 ms with events, 10 without: they cost a tenth.
TEST(GpuFindings, EventsCostWhatStepsWithoutThemSave) {
  GpuFindings findings;
  EXPECT_EQ(findings.probe_effect(0.011), 0);
  findings.quiet = Summary{9, 0.010, 0.010, 0.010};
  EXPECT_NEAR(findings.probe_effect(0.011), 0.1, 1e-9);
}

TEST(GpuFindings, TheFullestRankCounts) {
  std::vector<execute::RankRun> runs(2);
  runs[0].peak_reserved = mebibytes(20);
  runs[1].peak_reserved = mebibytes(22);
  EXPECT_EQ(peak_reserved(runs), mebibytes(22));
}

TEST(GpuFindings, ReadsTheTopologyThatNcclWrote) {
  const std::string path = testing::TempDir() + "heddle_topology.xml";
  GpuFindings none;
  read_topology(path + ".absent", none);
  EXPECT_EQ(none.topology, "");
  EXPECT_EQ(none.machine, "");
  io::write_file(path, R"(<system version="1">
  <cpu numaid="0" affinity="ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:1b:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
      <gpu dev="0" sm="90" rank="0" gdr="1"/>
    </pci>
  </cpu>
</system>)");
  GpuFindings findings;
  read_topology(path, findings);
  EXPECT_THAT(findings.topology, HasSubstr("0000:1b:00.0"));
  EXPECT_EQ(findings.machine, "1 GPUs, 0 NICs");
}

/// What the importer refuses is kept, and said.
TEST(GpuFindings, SaysWhyATopologyIsNotRead) {
  const std::string path = testing::TempDir() + "heddle_bad_topology.xml";
  io::write_file(path, "<system");
  GpuFindings findings;
  read_topology(path, findings);
  EXPECT_THAT(findings.machine, HasSubstr("not read: "));
}

}  // namespace
}  // namespace heddle::judge

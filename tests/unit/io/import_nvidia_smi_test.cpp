// Own small tables; what each cell means can be read off the text.

#include <gtest/gtest.h>

#include "sim/io/import/smi_affinity.h"
#include "tests/unit/io/import_texts.h"

namespace heddle::io {
namespace {

constexpr const char* kTopo = "nvidia-smi-topo";

constexpr const char* kPair =
    "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tNV12\tPIX\t0-31\t0\t\tN/A\n"
    "GPU1\tNV12\t X \tSYS\t32-63\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \t\t\n"
    "\nLegend:\n\n  X    = Self\n\nNIC Legend:\n\n  NIC0: mlx5_4\n";

std::string all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

void expect_pair(const std::string& text) {
  SCOPED_TRACE(text);
  const Imported pair = imported(kTopo, text);
  ASSERT_EQ(pair.gpus.size(), 2U);
  EXPECT_EQ(row(pair.gpu_matrix, 0), "X NV12");
  EXPECT_EQ(row(pair.gpu_matrix, 1), "NV12 X");
  EXPECT_EQ(row(pair.gpu_nic, 0), "PIX");
  EXPECT_EQ(row(pair.gpu_nic, 1), "SYS");
  EXPECT_EQ(pair.gpus[0].cpu_affinity, "0-31");
  EXPECT_EQ(pair.gpus[1].cpu_affinity, "32-63");
  EXPECT_EQ(pair.gpus[0].numa, "0");
  EXPECT_EQ(pair.gpus[1].numa, "1");
  EXPECT_FALSE(pair.gpus[0].gpu_numa_id.has_value());
  ASSERT_EQ(pair.nics.size(), 1U);
  EXPECT_EQ(pair.nics[0].name, "mlx5_4");
}

TEST(NvidiaSmiTopo, ReadsTabsSpacesCrlfAndColours) {
  expect_pair(kPair);
  expect_pair(all(kPair, "\t", "     "));
  expect_pair(all(kPair, "\n", "\r\n"));
  expect_pair("\x1b[4m" + all(kPair, "Affinity", "Affinity\x1b[0m"));
}

TEST(NvidiaSmiTopo, FindsTheMatrixInsideAReport) {
  expect_pair("$ nvidia-smi topo -m\nGPU 0: NVIDIA A100\nGPU0 is fine\n" + std::string(kPair));
  expect_pair("[rank0]: " + all(kPair, "\n", "\n[rank0]: "));
  expect_pair("2026-05-14 09:31:10,000 - check - INFO -\t" +
              all(kPair, "\n", "\n2026-05-14 09:31:10,037 - check - INFO - "));
  expect_pair("# " + all(kPair, "\n", "\n# "));
}

TEST(NvidiaSmiTopo, TakesApartWhatHasRunTogether) {
  // NV40-3 is NV4 and CPUs 0-3: no GPU has 40 links. 8-151N/A: the first range has 4 CPUs, so the
  // second is 12-15 and the node 1.
  const Imported glued = imported(kTopo,
                                  "GPU0GPU1  NIC0NIC1CPU Affinity  NUMA Affinity  GPU NUMA ID\n"
                                  "GPU0  X  NV4  PIXNODE0-3,8-11  0N/A\n"
                                  "GPU1  NV4  X  SYSSYS4-7,12-151N/A\n");
  EXPECT_EQ(row(glued.gpu_matrix, 1), "NV4 X");
  EXPECT_EQ(row(glued.gpu_nic, 0), "PIX NODE");
  EXPECT_EQ(glued.gpus[0].cpu_affinity, "0-3,8-11");
  EXPECT_EQ(glued.gpus[0].numa, "0");
  EXPECT_EQ(glued.gpus[1].cpu_affinity, "4-7,12-15");
  EXPECT_EQ(glued.gpus[1].numa, "1");
  ASSERT_EQ(glued.inferences.size(), 2U);
  EXPECT_EQ(glued.inferences[1].line, 3);
  const Imported cells = imported(kTopo, "GPU0 GPU1CPU Affinity\nGPU0 X NV40-3\nGPU1 NV4X 4-7\n");
  EXPECT_EQ(row(cells.gpu_matrix, 0), "X NV4");
  EXPECT_EQ(cells.gpus[0].cpu_affinity, "0-3");
}

TEST(NvidiaSmiTopo, BlankColumnsAreToldByTheirPlace) {
  const Imported blank =
      imported(kTopo,
               "        GPU0    GPU1    CPU Affinity    NUMA Affinity   GPU NUMA ID\n"
               "GPU0     X      SYS                                     N/A\n"
               "GPU1    SYS      X      0-7                             4\n");
  EXPECT_EQ(blank.gpus[0].cpu_affinity, "");
  EXPECT_FALSE(blank.gpus[0].numa.has_value());
  EXPECT_EQ(blank.gpus[1].cpu_affinity, "0-7");
  EXPECT_FALSE(blank.gpus[1].numa.has_value());
  EXPECT_EQ(blank.gpus[1].gpu_numa_id, "4");
  // Tabs: CPUs and two tabs, then the node; three tabs before the GPU's own node.
  const Imported tabs = imported(kTopo,
                                 "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
                                 "GPU0\t X \t\t1\t\t2\n");
  EXPECT_EQ(tabs.gpus[0].cpu_affinity, "");
  EXPECT_EQ(tabs.gpus[0].numa, "1");
  EXPECT_EQ(tabs.gpus[0].gpu_numa_id, "2");
}

TEST(NvidiaSmiTopo, ReadsWhatOldAndSmallMachinesPrint) {
  const Imported old = imported(kTopo,
                                "\tGPU0\tGPU1\tmlx4_0\tCPU Affinity\n"
                                "GPU0\t X \tSOC\tPHB\t0-7\nGPU1\tSOC\t X \tSOC\t8-15\n");
  EXPECT_EQ(row(old.gpu_matrix, 0), "X SOC");
  EXPECT_EQ(old.nics.at(0).name, "mlx4_0");
  EXPECT_EQ(imported(kTopo, "GPU0\nGPU0 X\n").gpu_matrix.size(), 1U);
  const Imported lists = imported(kTopo,
                                  "GPU0 CPU Affinity NUMA Affinity GPU NUMA ID\n"
                                  "GPU0 X 0-71 1,19-25 10\n");
  EXPECT_EQ(lists.gpus[0].numa, "1,19-25");
  EXPECT_EQ(lists.gpus[0].gpu_numa_id, "10");
}

TEST(NvidiaSmiTopo, MissingRowsAndCellsAreWarnings) {
  const std::string text = "GPU0 GPU1 GPU2\nGPU0 X NV1 NV2\nGPU2 NV2\n";
  const Imported cut = imported(kTopo, text);
  EXPECT_EQ(row(cut.gpu_matrix, 0), "X NV1 NV2");
  EXPECT_EQ(row(cut.gpu_matrix, 1), "? ? ?");
  EXPECT_EQ(row(cut.gpu_matrix, 2), "NV2 ? ?");
  EXPECT_EQ(warnings(kTopo, text), (std::vector<std::string>{"topo-truncated", "topo-truncated"}));
}

TEST(NvidiaSmiTopo, ContradictingCellsAreWarnedOfWithBothWords) {
  Diagnostics out;
  ASSERT_TRUE(import_text(kTopo, "GPU0 GPU1\nGPU0 X NV4\nGPU1 NV3 X\n", out).has_value());
  ASSERT_EQ(out.all().size(), 1U);
  EXPECT_EQ(out.all()[0].severity, Severity::kWarning);
  EXPECT_EQ(out.all()[0].line, 3);
  EXPECT_NE(out.all()[0].message.find("NV3"), std::string::npos);
  EXPECT_NE(out.all()[0].message.find("NV4"), std::string::npos);
}

TEST(NvidiaSmiTopo, WarnsOfTheVariantThatHidesNvlink) {
  const std::string matrix = "GPU0 GPU1\nGPU0 X SYS\nGPU1 SYS X\n";
  EXPECT_EQ(warnings(kTopo, "$ nvidia-smi topo -mp\n" + matrix),
            std::vector<std::string>{"topo-mp"});
  EXPECT_EQ(warnings(kTopo, matrix + "Legend:\n  X    = Self\n  PIX  = a bridge\n"),
            std::vector<std::string>{"topo-mp"});
  EXPECT_TRUE(warnings(kTopo, matrix).empty());
}

TEST(NvidiaSmiTopo, AGarbledLegendIsWarnedOf) {
  const std::string text = with(kPair, "mlx5_4", "DE     N/A");
  EXPECT_EQ(warnings(kTopo, text), std::vector<std::string>{"topo-legend"});
  EXPECT_EQ(imported(kTopo, text).nics[0].name, "NIC0");
}

TEST(NvidiaSmiTopo, RangesOfCpusHaveALengthThatCanBe) {
  EXPECT_EQ(cpu_range_lengths("0-47,96-143"), (std::vector<int>{48, 48}));
  EXPECT_EQ(cpu_range_lengths("1-1000000"), std::vector<int>{1'000'000});
  EXPECT_TRUE(cpu_range_lengths("0-2147483647").empty());
}

std::string repeated(const std::string& text, int times) {
  std::string all_of_them;
  for (int i = 0; i < times; ++i) all_of_them += text;
  return all_of_them;
}

// The choices of 33 columns are more than an int holds.
TEST(NvidiaSmiTopo, AColumnThatIsNamedAgainIsNoOtherColumn) {
  for (const int times : {2, 33}) {
    const std::string text = "GPU0 " + repeated("CPU Affinity ", times) + "\nGPU0 X 0-3 1\n";
    EXPECT_EQ(imported(kTopo, text).gpus.at(0).cpu_affinity, "0-3");
    EXPECT_EQ(warnings(kTopo, text), std::vector<std::string>{"topo-columns"});
  }
}

TEST(NvidiaSmiTopo, RefusesMoreThanAMachineHas) {
  std::string gpus;
  for (int i = 0; i < 1025; ++i) gpus += "GPU" + std::to_string(i) + " ";
  expect_refused(kTopo, gpus + "\nGPU0 X\n", "topo-columns", 1);
  expect_refused(kTopo, "GPU0 " + repeated("mlx5_0 ", 1025) + "\nGPU0 X PIX\n", "topo-columns", 1);
  const std::string most = "GPU0 " + repeated("mlx5_0 ", 1024);
  EXPECT_EQ(imported(kTopo, most + "\nGPU0 X PIX\n").nics.size(), 1024U);
}

TEST(NvidiaSmiP2p, ReadsStatesAndTheCapability) {
  const std::string text = "$ nvidia-smi topo -p2p w\n\tGPU0\tGPU1\n GPU0\tX\tOK\n GPU1\tCNS\tX\n";
  const Imported p2p = imported("nvidia-smi-p2p", text);
  EXPECT_EQ(row(p2p.gpu_matrix, 1), "CNS X");
  EXPECT_EQ(details_json(p2p), "{\"p2p_capability\": \"w\"}\n");
}

TEST(NvidiaSmiC, NumbersGpusAsTheCommandLineAsks) {
  const Imported closest = imported("nvidia-smi-c",
                                    "$ nvidia-smi topo -C -i 5\nNUMA IDs of closest CPU: 0,2-3\n"
                                    "NUMA IDs of closest CPU: N/A\n");
  ASSERT_EQ(closest.gpus.size(), 2U);
  EXPECT_EQ(closest.gpus[0].number, 5);
  EXPECT_EQ(closest.gpus[0].numa, "0,2-3");
  EXPECT_EQ(closest.gpus[1].number, 1);
  EXPECT_FALSE(closest.gpus[1].numa.has_value());
}

}  // namespace
}  // namespace heddle::io

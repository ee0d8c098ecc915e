#include "sim/io/nvidia_smi_topo.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/io/topo_words.h"

namespace heddle::io {
namespace {

constexpr const char* kPair =
    "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tNV12\tPIX\t0-31\t0\t\tN/A\n"
    "GPU1\tNV12\t X \tSYS\t32-63\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \t\t\n"
    "\nLegend:\n\n  X    = Self\n";

void expect_pair(const std::string& text) {
  Diagnostics out;
  const auto matrix = read_nvidia_smi_topo(text, "topo.txt", out);
  ASSERT_TRUE(matrix.has_value()) << (out.empty() ? "" : format(out.all().front()));
  ASSERT_EQ(matrix->gpus.size(), 2U);
  EXPECT_EQ(matrix->nics, std::vector<std::string>{"NIC0"});
  EXPECT_EQ(to_string(matrix->gpus[0].to_gpus[1]), "NV12");
  EXPECT_EQ(matrix->gpus[0].to_gpus[1].links, 12);
  EXPECT_EQ(to_string(matrix->gpus[1].to_nics[0]), "SYS");
  EXPECT_EQ(matrix->gpus[1].cpu_affinity, "32-63");
  EXPECT_EQ(matrix->gpus[0].numa, 0);
  EXPECT_EQ(matrix->gpus[1].numa, 1);
}

/// The text with every `from` replaced.
std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

void expect_refused(const std::string& text, const std::string& code, int line) {
  Diagnostics out;
  EXPECT_FALSE(read_nvidia_smi_topo(text, "topo.txt", out).has_value());
  ASSERT_FALSE(out.empty());
  EXPECT_EQ(out.all().front().code, code);
  EXPECT_EQ(out.all().front().line, line);
  EXPECT_EQ(out.all().front().file, "topo.txt");
  EXPECT_FALSE(out.all().front().hint.empty());
}

TEST(NvidiaSmiTopo, ReadsTabsSpacesCrlfAndColours) {
  expect_pair(kPair);
  expect_pair(with(kPair, "\t", "     "));
  expect_pair(with(kPair, "\n", "\r\n"));
  expect_pair("\x1b[4m" + with(kPair, "Affinity", "Affinity\x1b[0m"));
}

TEST(NvidiaSmiTopo, FindsTheMatrixInsideAReport) {
  expect_pair("$ nvidia-smi topo -m\nGPU 0: NVIDIA A100\n" + std::string(kPair) + "GPU0 again\n");
  expect_pair("[rank0]: " + with(kPair, "\n", "\n[rank0]: "));
  expect_pair("2024-05-14 09:31:10,000 - check - INFO -\t" +
              with(kPair, "\nGPU", "\n2024-05-14 09:31:10,037 - check - INFO - GPU"));
}

TEST(NvidiaSmiTopo, ReadsAffinityAsFarAsItIsThere) {
  Diagnostics out;
  const auto bare = read_nvidia_smi_topo("GPU0 GPU1\nGPU0 X SYS\nGPU1 SOC X\n", "t", out);
  ASSERT_TRUE(bare.has_value());
  EXPECT_FALSE(bare->gpus[0].numa.has_value());
  const auto listed =
      read_nvidia_smi_topo("GPU0 CPU Affinity NUMA Affinity\nGPU0 X 0-71 1,19-25\n", "t", out);
  ASSERT_TRUE(listed.has_value());
  EXPECT_EQ(listed->gpus[0].numa, 1);
  const auto unknown =
      read_nvidia_smi_topo("GPU0 CPU Affinity NUMA Affinity\nGPU0 X 0-71 N/A\n", "t", out);
  ASSERT_TRUE(unknown.has_value());
  EXPECT_FALSE(unknown->gpus[0].numa.has_value());
}

TEST(NvidiaSmiTopo, RefusesTextWithoutAMatrix) {
  expect_refused("", "no-topology-matrix", 0);
  expect_refused("\nno GPUs here\n", "no-topology-matrix", 2);
}

TEST(NvidiaSmiTopo, RefusesATruncatedMatrix) {
  expect_refused("\tGPU0\tGPU1\nGPU0\tX\tNV4\n", "topo-truncated", 2);
  expect_refused("\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\n", "topo-truncated", 3);
}

TEST(NvidiaSmiTopo, RefusesUnknownAndGluedCells) {
  expect_refused("GPU0 GPU1\nGPU0 X NVX\nGPU1 NV4 X\n", "topo-cell", 2);
  expect_refused("GPU0 GPU1\nGPU0 X NV0\nGPU1 NV0 X\n", "topo-cell", 2);
  expect_refused("GPU0 GPU1\nGPU0 X OK\nGPU1 OK X\n", "topo-cell", 2);
  expect_refused("GPU0 NIC0NIC1 CPU Affinity\nGPU0 X PIX SYS 0-31\n", "topo-columns", 2);
}

TEST(NvidiaSmiTopo, RefusesContradictions) {
  expect_refused("GPU0 GPU1\nGPU0 X NV4\nGPU1 NV3 X\n", "topo-asymmetric", 3);
  expect_refused("GPU0 GPU1\nGPU0 NV4 X\nGPU1 X NV4\n", "topo-diagonal", 2);
  expect_refused("GPU1 GPU0\nGPU1 X NV4\nGPU0 NV4 X\n", "topo-columns", 1);
  expect_refused("GPU0 GPU1\nGPU1 NV4 X\nGPU0 X NV4\n", "topo-rows", 2);
}

TEST(NvidiaSmiTopo, ReportsAllBadRowsAtOnce) {
  Diagnostics out;
  EXPECT_FALSE(read_nvidia_smi_topo("GPU0 GPU1\nGPU0 X ??\nGPU1 ?? X\n", "t", out));
  EXPECT_EQ(out.error_count(), 2);
}

}  // namespace
}  // namespace heddle::io

// The machine of tests/fuzz/corpus/import/heddle-fabric/pair.json: two bridged GPUs, one of them on
// the CPU that has a NIC.

#include "sim/io/fabric_file.h"

#include <gtest/gtest.h>

#include "sim/io/exact_text.h"
#include "sim/io/file.h"
#include "tests/unit/io/import_texts.h"

namespace heddle::io {
namespace {

std::string pair_text() {
  return read_file(std::string(HEDDLE_SOURCE_DIR) +
                   "/tests/fuzz/corpus/import/heddle-fabric/pair.json");
}

TEST(FabricFile, KeepsEveryNumberExactly) {
  Diagnostics out;
  const auto file = read_fabric_file(pair_text(), "pair.json", out);
  ASSERT_TRUE(file.has_value()) << format(out.all().front());
  EXPECT_EQ(file->fabric.link(fabric::LinkId(2)).capacity.bytes_per_second, 26'000'000'001);
  EXPECT_EQ(file->fabric.link(fabric::LinkId(3)).latency.ps, 500'001);
  EXPECT_EQ(file->fabric.comm().ring_efficiency, 0.895);
  EXPECT_EQ(file->link_origins.at(0), "bridge");
  EXPECT_EQ(file->origins.at(0).sigma, "3 %");
  EXPECT_EQ(file->inferences.at(0).line, 2);
}

// A log of 64 MiB has more lines than a machine has devices.
TEST(FabricFile, LinesOfLongTextsAreNoFault) {
  Diagnostics out;
  const std::string text = with(pair_text(), "\"line\": 2", "\"line\": 2147483647");
  const auto file = read_fabric_file(text, "pair.json", out);
  ASSERT_TRUE(file.has_value()) << format(out.all().front());
  EXPECT_EQ(file->inferences.at(0).line, 2'147'483'647);
}

TEST(FabricFile, IsWrittenAsItWasRead) {
  Diagnostics out;
  const auto file = read_fabric_file(pair_text(), "pair.json", out);
  ASSERT_TRUE(file.has_value());
  const std::string written = write_fabric_file(*file);
  const auto again = read_fabric_file(written, "written.json", out);
  ASSERT_TRUE(again.has_value()) << format(out.all().front()) << written;
  EXPECT_EQ(write_fabric_file(*again), written);
}

TEST(FabricFile, ShowsTheMatrixOfItsMachine) {
  const Imported pair = imported("heddle-fabric", pair_text());
  EXPECT_EQ(row(pair.gpu_matrix, 0), "X NV6");
  EXPECT_EQ(row(pair.gpu_nic, 0), "PHB");
  EXPECT_EQ(pair.gpus.at(1).model, "H200-NVL-141GB");
  EXPECT_EQ(pair.nics.at(0).name, "mlx5_0");
}

TEST(ExactText, HasNoDigitTooManyOrTooFew) {
  EXPECT_EQ(exact_text(Bandwidth{370'800'000'000}), "370.8 GB/s");
  EXPECT_EQ(exact_text(Bandwidth{1}), "0.000000001 GB/s");
  EXPECT_EQ(exact_text(Bandwidth{26'000'000'000}), "26 GB/s");
  EXPECT_EQ(exact_decimal(Duration{300'000}), "0.3 us");
  EXPECT_EQ(exact_decimal(Duration{0}), "0 us");
}

}  // namespace
}  // namespace heddle::io

#include "sim/io/import/nccl_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHeader =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
    "  algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us) "
    " (GB/s)  (GB/s)\n";

NcclTests read_ok(const std::string& text) {
  Diagnostics out;
  const std::optional<NcclTests> tests = read_nccl_tests(text, "t.txt", out);
  EXPECT_FALSE(out.has_errors()) << (out.empty() ? "" : format(out.all().front()));
  return tests.value_or(NcclTests{{{}}, {}});
}

Diagnostic refusal(const std::string& text) {
  Diagnostics out;
  EXPECT_FALSE(read_nccl_tests(text, "t.txt", out));
  EXPECT_TRUE(out.has_errors());
  return out.all().empty() ? Diagnostic{} : out.all().front();
}

Diagnostic doubt(const std::string& text) {
  Diagnostics out;
  EXPECT_TRUE(read_nccl_tests(text, "t.txt", out));
  return out.all().empty() ? Diagnostic{} : out.all().front();
}

TEST(NcclTests, ReadsEveryColumnOfTheCurrentLayout) {
  const NcclTests tests = read_ok(
      "# nccl-tests version 2.17.1 nccl-headers=22707 nccl-library=22707\n"
      "# Collective test starting: reduce_scatter_perf\n"
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 2\n"
      "#  Rank  0 Group  0 Pid 11 on box device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
      "#  Rank  1 Group  0 Pid 12 on box device  1 [0000:43:00] NVIDIA H100 80GB HBM3\n" +
      std::string(kHeader) +
      "  4000000  500000  float  sum  -1  100.0  40.00  20.00  0  50.0  80.00  40.00  N/A\n"
      "# Out of bounds values : 0 OK\n"
      "# Avg bus bandwidth    : 30.5 \n"
      "# Collective test concluded: reduce_scatter_perf\n");
  ASSERT_EQ(tests.sweeps.size(), 1u);
  const NcclTestsSweep& sweep = tests.sweeps[0];
  EXPECT_EQ(sweep.collective, "reduce_scatter");
  EXPECT_EQ(sweep.ranks, 2);
  EXPECT_EQ(sweep.nccl_version, "2.27.7");
  EXPECT_EQ(sweep.avg_busbw, 30.5);
  ASSERT_EQ(sweep.devices.size(), 2u);
  EXPECT_EQ(sweep.devices[1].host, "box");
  EXPECT_EQ(sweep.devices[1].bus_id, "0000:43:00");
  EXPECT_EQ(sweep.devices[1].name, "NVIDIA H100 80GB HBM3");
  ASSERT_EQ(sweep.rows.size(), 1u);
  const NcclTestsRow& row = sweep.rows[0];
  EXPECT_EQ(row.bytes, 4'000'000);
  EXPECT_EQ(row.count, 500'000);
  EXPECT_EQ(row.redop, "sum");
  EXPECT_EQ(row.root, -1);
  EXPECT_EQ(row.out_of_place.time_us, 100.0);
  EXPECT_EQ(row.in_place.busbw, 40.0);
  EXPECT_EQ(row.out_of_place.wrong, 0.0);
  EXPECT_EQ(row.in_place.wrong, std::nullopt);
}

// 2(n-1)/n = 1.75 at n = 8: algbw 100 +- 0.005 and busbw 175 +- 0.005 leave only n = 8.
TEST(NcclTests, ConcludesCollectiveAndRanksFromTheRatio) {
  const NcclTests tests = read_ok("1000000000 250000000 float sum 10000 100.00 175.00 1e-06\n");
  EXPECT_EQ(tests.sweeps[0].collective, "all_reduce");
  EXPECT_EQ(tests.sweeps[0].ranks, 8);
  EXPECT_EQ(tests.sweeps[0].rows[0].root, std::nullopt);
  ASSERT_EQ(tests.inferences.size(), 2u);
  EXPECT_THAT(tests.inferences[1].from, HasSubstr("busbw / algbw"));
}

// (n-1)/n between 1.945 / 2.005 and 1.955 / 1.995 fits 34 to 49 ranks: absent, not guessed.
TEST(NcclTests, LeavesRanksOutThatTheDigitsDoNotDecide) {
  const std::string text = "2000000 250000 float sum -1 1000.0 2.00 1.95 0\n";
  const NcclTests tests = read_ok(text);
  EXPECT_EQ(tests.sweeps[0].collective, "reduce_scatter");
  EXPECT_EQ(tests.sweeps[0].ranks, std::nullopt);
  EXPECT_EQ(doubt(text).code, "ranks-unknown");
}

TEST(NcclTests, OldLayoutsDifferInTheirColumns) {
  const std::string row = " 8000000 250000 float 1000.0 8.00 7.00 N/A 1000.0 8.00 7.00 N/A\n";
  EXPECT_EQ(read_ok("# size count type time algbw busbw error time algbw busbw error\n" + row)
                .sweeps[0]
                .collective,
            "all_gather");
  EXPECT_EQ(read_ok("# size count type redop time algbw busbw error time algbw busbw error\n" + row)
                .sweeps[0]
                .collective,
            "alltoall");
  EXPECT_THAT(doubt(" 8000000 250000 float none -1 1000.0 8.00 7.00 0\n").message,
              HasSubstr("all_gather or alltoall"));
}

TEST(NcclTests, RootsTellBroadcastAndReduce) {
  EXPECT_EQ(read_ok("8000 2000 float none 0 8.0 1.00 1.00 0\n").sweeps[0].collective, "broadcast");
  EXPECT_EQ(read_ok("8000 2000 float sum 3 8.0 1.00 1.00 0\n").sweeps[0].collective, "reduce");
  EXPECT_THAT(doubt("8000 2000 float sum -1 8.0 1.00 1.00 0\n").message,
              HasSubstr("all_reduce or sendrecv"));
}

TEST(NcclTests, LauncherLabelsAndOtherLinesAreNoObstacle) {
  const NcclTests tests = read_ok(
      "$ mpirun -np 2 /opt/all_gather_perf -b 8\n"
      "  [1,0]<stdout>:# size count type redop root time algbw busbw #wrong\n"
      "  [1,0]<stdout>:  8000 1000 float none -1 8.0 1.00 0.50 0\r\n"
      "host:1:1 [0] NCCL INFO Launch mode Parallel\n"
      "0:         16000 2000 float none -1 8.0 2.00 1.00 0\n"
      "[2025-07-09 00:57:25] 0: \x1b[32m32000 4000 float none -1 8.0 4.00 2.00 0\x1b[0m\n");
  ASSERT_EQ(tests.sweeps.size(), 1u);
  EXPECT_EQ(tests.sweeps[0].rows.size(), 3u);
  EXPECT_EQ(tests.sweeps[0].rows[2].line, 6);
  EXPECT_EQ(tests.sweeps[0].collective, "all_gather");
}

TEST(NcclTests, SeveralSweepsAreKeptApart) {
  const NcclTests tests =
      read_ok("NCCL version 2.20.5+cuda12.4\n./all_reduce_perf -g 2\n" + std::string(kHeader) +
              "8000 2000 float sum -1 8.0 1.00 1.00 0\n./broadcast_perf -g 2\n" + kHeader +
              "8000 2000 float none 0 8.0 1.00 1.00 0\n16000 4000 float none 0 8.0 2.00 2.00 0\n");
  ASSERT_EQ(tests.sweeps.size(), 2u);
  EXPECT_EQ(tests.sweeps[0].collective, "all_reduce");
  EXPECT_EQ(tests.sweeps[1].collective, "broadcast");
  EXPECT_EQ(tests.sweeps[1].rows.size(), 2u);
  EXPECT_EQ(tests.sweeps[1].nccl_version, "2.20.5");
}

TEST(NcclTests, DoubtsAboutNumbersAreWarnings) {
  // 8000 B in 8 us are 1 GB/s.
  EXPECT_EQ(doubt("8000 2000 float sum 3 8.0 2.00 2.00 0\n").code, "rate-contradicts-time");
  EXPECT_EQ(
      doubt("8000 2000 float sum 3 8.0 1.00 1.00 7\n# Out of bounds values : 7 FAILED\n").code,
      "wrong-values");
}

TEST(NcclTests, BrokenTablesAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal("nothing here\n").code, "no-rows");
  EXPECT_EQ(refusal("").code, "no-rows");
  const Diagnostic cut =
      refusal("8000 2000 float sum -1 8.0 1.00 1.00 0\n16000 4000 float sum -1\n");
  EXPECT_EQ(cut.code, "malformed-row");
  EXPECT_EQ(cut.line, 2);
  EXPECT_FALSE(cut.hint.empty());
  EXPECT_THAT(refusal("8000 2000 float sum -1 8.0 x.yz 1.00 0\n").message, HasSubstr("x.yz"));
  EXPECT_THAT(refusal("8000 2000 float sum -1 0.0 1.00 1.00 0\n").message, HasSubstr("time"));
  EXPECT_EQ(refusal("-8 2 float sum -1 8.0 1.00 1.00 0\n").line, 1);
  EXPECT_THAT(refusal("# size count type luck time algbw busbw #wrong\n"
                      "8000 2000 float sum -1 8.0 1.00 1.00 0\n")
                  .message,
              HasSubstr("luck"));
}

// 9e14 / 1e-300 is beyond any double, and so is what 1e300 GB/s would be of.
TEST(NcclTests, NumbersThatNoTestPrintsAreNoRatios) {
  EXPECT_THAT(refusal("8 2 float sum -1 8.0 1.00 1e300 0\n").message, HasSubstr("1e300"));
  EXPECT_THAT(refusal("8 2 float sum -1 8.0 1.00 -1e15 0\n").message, HasSubstr("-1e15"));
  Diagnostics out;
  const auto imported =
      nccl_tests_importer().read("8 2 float sum -1 8.0 1e-300 900000000000000 0\n", "t", out);
  ASSERT_TRUE(imported);
  JsonWriter writer;
  writer.begin_object().inline_from_here();
  imported->details->write(writer);
  EXPECT_THAT(writer.end_object().take(), HasSubstr("\"busbw_over_algbw\": null"));
}

TEST(NcclTests, EveryBrokenRowIsReported) {
  Diagnostics out;
  EXPECT_FALSE(read_nccl_tests("8 2 float sum\n16 4 float sum\n", "t.txt", out));
  EXPECT_EQ(out.error_count(), 2);
}

TEST(NcclTests, DetailsSayFirstAndLastRow) {
  Diagnostics out;
  const std::optional<Imported> imported = nccl_tests_importer().read(
      "1000000000 250000000 float sum 10000 100.00 175.00 0 8000.0 125.00 218.75 0\n", "t", out);
  ASSERT_TRUE(imported);
  JsonWriter writer;
  writer.begin_object().inline_from_here();
  imported->details->write(writer);
  const std::string json = writer.end_object().take();
  EXPECT_THAT(json, HasSubstr("\"collective\": \"all_reduce\", \"ranks\": 8"));
  EXPECT_THAT(json, HasSubstr("\"avg_busbw\": null, \"busbw_over_algbw\": 1.75"));
  EXPECT_THAT(json, HasSubstr("\"first\": [1000000000, 10000, 100, 175, 8000, 125, 218.75]"));
}

TEST(NcclTests, ConfidenceKnowsItsTexts) {
  const auto confidence = nccl_tests_importer().confidence;
  EXPECT_EQ(confidence(kHeader), 95);
  EXPECT_GT(confidence("8 2 float sum -1 8.0 1.00 1.00 0\n"), 50);
  EXPECT_EQ(confidence("GPU0 GPU1\n"), 0);
}

}  // namespace
}  // namespace heddle::io

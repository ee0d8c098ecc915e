#include "hw_models/overlay.h"

#include <gtest/gtest.h>

#include "hw_models/comm_reader.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

Overlay full() {
  const Origin fitted{"calibrated", "sweep \"a\" of 12 rows", "2026-11-29", 2.5};
  const Origin read{"measured", "a probe", "2026-11", 0};
  Overlay overlay{"mine", "our node", {}};
  overlay.comm.ring_efficiency = {0.89312345, fitted};
  overlay.comm.nvls_efficiency = {1.0, read};
  overlay.comm.pcie_ring_efficiency = {0.9, read};
  overlay.comm.staging_ctas = {1, read};
  overlay.comm.staging_per_cta_same_socket = {Bandwidth{10'400'000'001}, fitted};
  overlay.comm.staging_per_cta_cross_socket = {Bandwidth{999}, fitted};
  overlay.comm.network_efficiency = {0.955, fitted};
  overlay.comm.network_latency = {picoseconds(1'234'567), fitted};
  return overlay;
}

TEST(Overlay, WhatIsWrittenReadsBackExactly) {
  Overlay only_name{"empty", "nothing found", {}};
  for (const Overlay& overlay : {full(), only_name}) {
    const std::string text = write_overlay(overlay);
    Diagnostics out;
    const auto again = read_overlay({"mine.json", overlay.name, text}, out);
    ASSERT_TRUE(again.has_value()) << text << format(out.all().front());
    EXPECT_EQ(*again, overlay) << text;
    EXPECT_EQ(write_overlay(*again), text);
  }
}

TEST(Overlay, WritesUnits) {
  const std::string text = write_overlay(full());
  for (const char* part : {R"("89.312345 %")", R"("1 CTA")", R"("10.400000001 GB/s")",
                           R"("0.000000999 GB/s")", R"("1.234567 us")", R"("2.5 %")"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(Overlay, RefusesAssumptionsUnknownKeysAndWrongUnits) {
  DataFile file = shipped("overlays", "founding-h200-sxm");
  file = changed(file, "\"calibrated\"", "\"assumed\"");
  file = changed(file, "\"81 %\"", "\"0.81\"");
  file = changed(file, "\"per_cta_same_socket\"", "\"per_cta_same_sockets\"");
  Diagnostics out;
  EXPECT_FALSE(read_overlay(file, out));
  EXPECT_EQ(out.error_count(), 3);
  EXPECT_TRUE(has_code(out, "wrong-kind"));
  EXPECT_TRUE(has_code(out, "bad-share"));
  EXPECT_TRUE(has_code(out, "unknown-key"));
  for (const Diagnostic& d : out.all()) EXPECT_GT(d.line, 0) << format(d);
}

TEST(Overlay, NetworkValuesWaitForANetwork) {
  Diagnostics out;
  fabric::CommParameters alone;
  alone.nvls_efficiency = 0.8;
  EXPECT_FALSE(apply(full(), alone, "mine.json", out)->network.has_value());
  alone.network = fabric::NetworkTransport{};
  const auto joined = apply(full(), alone, "mine.json", out);
  EXPECT_DOUBLE_EQ(joined->network->efficiency, 0.955);
  EXPECT_EQ(joined->network->latency, picoseconds(1'234'567));
}

// A value brings its own error; one that states none keeps the prior's.
TEST(Overlay, ValuesBringTheirErrors) {
  Diagnostics out;
  fabric::CommParameters prior;
  prior.nvls_efficiency = 0.8;
  prior.sigma.nvls = 0.07;
  const auto comm = apply(full(), prior, "mine.json", out);
  EXPECT_DOUBLE_EQ(comm->sigma.ring, 0.025);
  EXPECT_DOUBLE_EQ(comm->sigma.host_staging, 0.025);
  EXPECT_DOUBLE_EQ(comm->sigma.nvls, 0.07);
}

TEST(CommFiles, StateTheirErrors) {
  Diagnostics out;
  const auto read = read_comm(shipped("comm", "hopper-nvswitch"), out);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->comm.sigma, (fabric::CommSigmas{0.06, 0.03, 0.10, 0.20, 0.04, 0.30}));
}

}  // namespace
}  // namespace heddle::hw_models

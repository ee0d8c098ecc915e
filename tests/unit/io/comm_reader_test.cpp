// Settings of a fabric that force what NCCL chooses, and back again.

#include <gtest/gtest.h>

#include "sim/io/scenario_writer.h"
#include "tests/unit/io/scenarios.h"

namespace heddle::io {
namespace {

TEST(CommReader, ReadsEverySetting) {
  const Read read = read_small({{"fabrics.0.p2p_level", "PHB"},
                                {"fabrics.0.shm", "off"},
                                {"fabrics.0.nvls", "off"},
                                {"fabrics.0.min_ctas", "4"},
                                {"fabrics.0.max_ctas", "16"},
                                {"fabrics.0.ring_order", "rank"}});
  ASSERT_TRUE(read.scenario) << read.messages();
  const collective::CommSettings& comm = read.scenario->fabrics.at(0).comm;
  EXPECT_EQ(comm.p2p_level, fabric::PathType::kPhb);
  EXPECT_FALSE(comm.shm);
  EXPECT_FALSE(comm.nvls);
  EXPECT_EQ(comm.min_ctas, 4);
  EXPECT_EQ(comm.max_ctas, 16);
  EXPECT_EQ(comm.ring_order, collective::RingOrder::kRank);
  const std::string written = write_scenario(*read.scenario);
  EXPECT_NE(written.find(R"("p2p_level": "PHB", "shm": "off", "nvls": "off")"), std::string::npos)
      << written;
  EXPECT_NE(written.find(R"("min_ctas": 4, "max_ctas": 16, "ring_order": "rank")"),
            std::string::npos)
      << written;
}

TEST(CommReader, UnsetSettingsAreNotWritten) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  const std::string written = write_scenario(*read.scenario);
  for (const char* key : {"p2p_level", "shm", "nvls\"", "min_ctas", "max_ctas", "ring_order"}) {
    EXPECT_EQ(written.find(key), std::string::npos) << key;
  }
}

TEST(CommReader, RefusesWhatCannotBe) {
  EXPECT_FALSE(read_small({{"fabrics.0.p2p_level", "NVB"}}).scenario);  // not a word of NCCL's
  EXPECT_FALSE(read_small({{"fabrics.0.min_ctas", "0"}}).scenario);
  EXPECT_FALSE(read_small({{"fabrics.0.max_ctas", "65"}}).scenario);
  const Read read = read_small({{"fabrics.0.min_ctas", "9"}, {"fabrics.0.max_ctas", "8"}});
  EXPECT_FALSE(read.scenario);
  EXPECT_NE(read.messages().find("min_ctas"), std::string::npos);
}

}  // namespace
}  // namespace heddle::io

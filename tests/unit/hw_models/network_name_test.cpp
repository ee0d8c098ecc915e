#include "hw_models/network_name.h"

#include <gtest/gtest.h>

namespace heddle::hw_models {
namespace {

std::optional<NetworkName> parse(const std::string& text) {
  Diagnostics out;
  return parse_network_name(text, out);
}

TEST(NetworkName, IsAPresetOrOneWithOtherNics) {
  EXPECT_EQ(parse("ib-ndr-rail")->preset, "ib-ndr-rail");
  EXPECT_FALSE(parse("ib-ndr-rail")->nics);
  const auto other = parse("roce-400g@4x200Gbit/s");
  ASSERT_TRUE(other && other->nics);
  EXPECT_EQ(other->preset, "roce-400g");
  EXPECT_EQ(other->nics->per_machine, 4);
  EXPECT_EQ(other->nics->rate.bytes_per_second, 25'000'000'000);  // 200 Gbit/s / 8
  EXPECT_EQ(parse("@1x100 Gbit/s")->preset, "");
}

TEST(NetworkName, RefusesAnythingElseBehindTheAt) {
  for (const char* text : {"a@", "a@8", "a@x200Gbit/s", "a@0x200Gbit/s", "a@8x200", "a@8x0Gbit/s",
                           "a@8x-1Gbit/s", "a@1.5x200Gbit/s", "a@9999x1Gbit/s"}) {
    Diagnostics out;
    EXPECT_FALSE(parse_network_name(text, out)) << text;
    EXPECT_TRUE(out.has_errors()) << text;
  }
}

}  // namespace
}  // namespace heddle::hw_models

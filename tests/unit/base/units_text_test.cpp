#include "sim/base/units_text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(ParseQuantity, KnowsDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("80 GB").value, gigabytes(80));
  EXPECT_EQ(parse_bytes("80GiB").value, gibibytes(80));
  EXPECT_EQ(parse_bytes("80000 MB").value, parse_bytes("80 GB").value);
  EXPECT_EQ(parse_bytes("1.5 kB").value, Bytes{1500});
}

TEST(ParseQuantity, NetworkRatesAreBits) {
  EXPECT_EQ(parse_bandwidth("400 Gbit/s").value, parse_bandwidth("50 GB/s").value);
}

TEST(ParseQuantity, TimesAndFlopRates) {
  EXPECT_EQ(parse_duration("3.4 us").value, nanoseconds(3400));
  EXPECT_EQ(parse_duration("1 s").value, Duration{kPicosPerSecond});
  EXPECT_EQ(parse_flop_rate("989 TFLOP/s").value, FlopRate{989e12});
}

TEST(ParseQuantity, ABareNumberIsRefusedWithAnExample) {
  const Parsed<Bytes> parsed = parse_bytes("80");
  EXPECT_FALSE(parsed.value);
  EXPECT_EQ(parsed.reason, "\"80\" has no unit");
  EXPECT_NE(parsed.hint.find("80 GB"), std::string::npos);
}

TEST(ParseQuantity, TheCaseOfAUnitCounts) {
  const Parsed<Bytes> parsed = parse_bytes("80gb");
  EXPECT_FALSE(parsed.value);
  EXPECT_NE(parsed.hint.find("did you mean \"GB\"?"), std::string::npos);
}

TEST(ParseQuantity, RefusesNonsense) {
  for (const char* text :
       {"", "GB", "-1 GB", "nan GB", "inf GB", "1e300 GB", "1 GB extra", "0x10 GB"}) {
    EXPECT_FALSE(parse_bytes(text).value) << text;
  }
}

TEST(FormatQuantity, AlwaysHasAUnit) {
  EXPECT_EQ(format_bytes({85'096'136'704}), "85.10 GB");
  EXPECT_EQ(format_bytes({512}), "512 B");
  EXPECT_EQ(format_bytes_binary(gibibytes(79)), "79.00 GiB");
  EXPECT_EQ(format_bandwidth({331'200'000'000}), "331.2 GB/s");
  EXPECT_EQ(format_duration(milliseconds(205)), "205 ms");
  EXPECT_EQ(format_duration(nanoseconds(3400)), "3.40 us");
  EXPECT_EQ(format_flop_rate({989e12}), "989 TFLOP/s");
}

}  // namespace
}  // namespace heddle

#include "sim/cli/text_table.h"

#include <gtest/gtest.h>

#include "sim/cli/quantity_text.h"

namespace heddle::cli {
namespace {

TEST(TextTable, AlignsColumnsUnderTitlesAndUnits) {
  TextTable table({{"who", "", Align::kLeft}, {"peak", "GB"}, {"bound by", "", Align::kLeft}});
  table.add_row({"ddp", "87.0", "host"});
  table.add_row({"fsdp", "9.12", "gpu0 -> gpu1"});
  EXPECT_EQ(table.render(1),
            " who   peak  bound by\n"
            "         GB\n"
            " ddp   87.0  host\n"
            " fsdp  9.12  gpu0 -> gpu1\n");
}

TEST(TextTable, LeavesTheUnitLineOutWhenNoColumnHasOne) {
  TextTable table({{"a", "", Align::kLeft}, {"n", ""}});
  table.add_row({"x", "10"});
  EXPECT_EQ(table.render(0), "a   n\nx  10\n");
}

TEST(QuantityText, KeepsThreeOrFourDigitsWithoutUnit) {
  EXPECT_EQ(gb_text(gigabytes(87)), "87.0");
  EXPECT_EQ(gb_text(Bytes{1'790'000'000}), "1.79");
  EXPECT_EQ(gb_text(Bytes{4}), "<0.001");
  EXPECT_EQ(ms_text(microseconds(205'400)), "205");
  EXPECT_EQ(ms_text(Duration{}), "0.00");
  EXPECT_EQ(magnitude_text(19980.4), "19980");
  EXPECT_EQ(percent_text(0.4125), "41.2");  // 41.25 is a tie in binary: rounds to even
}

}  // namespace
}  // namespace heddle::cli

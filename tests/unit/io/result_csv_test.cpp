#include "sim/io/result_csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/io/results.h"

namespace heddle::io {
namespace {

TEST(ResultCsv, QuotesAndKeepsItsColumns) {
  const run::CaseResult result = small_result();
  const std::string text = write_result_csv({{result}});
  const std::size_t split = text.find('\n');
  const std::string header = text.substr(0, split);
  const std::string line = text.substr(split + 1);
  EXPECT_TRUE(header.starts_with("case,fabric,strategy,"));
  EXPECT_TRUE(line.starts_with("fast/ddp,fast,ddp,pytorch-ddp,\"machine, small\",small,2,true,"));
  EXPECT_TRUE(line.ends_with(",\"gpu0 -> \"\"hub\"\"\"\n"));
  // one comma of the line is inside quotes
  EXPECT_EQ(std::count(line.begin(), line.end(), ','),
            std::count(header.begin(), header.end(), ',') + 1);
}

TEST(ResultCsv, BytesAreExact) {
  const run::CaseResult result = small_result();
  // needed = 3e9 + 500 + 70 + 3; capacity = 2^53 + 1
  EXPECT_NE(write_result_csv({{result}}).find(",3000000573,9007199254740993,0.25,8192,"),
            std::string::npos);
}

TEST(ResultCsv, CostsAndDrawsAreColumnsIfThereAreAny) {
  const std::string text = write_result_csv({{varied_result()}});
  EXPECT_NE(text.find(",currency,step_money,step_kwh,"), std::string::npos);
  EXPECT_NE(text.find(",step_p10_s,step_p50_s,step_p90_s,spread,fastest,currency,"),
            std::string::npos);
  EXPECT_TRUE(text.ends_with(",0.2,0.25,0.333,0.123,1,EUR,6,,1.2,,0.5,6,,,,,5,60,7.5\n")) << text;
  const std::string plain = write_result_csv({{small_result()}});
  EXPECT_EQ(plain.find("currency"), std::string::npos);
  EXPECT_EQ(plain.find("step_p10_s"), std::string::npos);
}

TEST(ResultCsv, NoRunsIsAHeader) {
  const std::string text = write_result_csv({});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_TRUE(text.ends_with("\n"));
}

}  // namespace
}  // namespace heddle::io

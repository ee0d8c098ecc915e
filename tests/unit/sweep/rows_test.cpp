// Rows as text, and where an interrupted sweep goes on.

#include "tests/unit/sweep/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/sweep/pareto.h"
#include "sim/sweep/resume.h"

namespace heddle::sweep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kSweep = "00000000000000aa";

RowText text_in(LineFormat format, const std::string& sweep = kSweep) {
  return {format, sweep, columns_of(small_grid(), false)};
}

std::string three_lines(const RowText& text) {
  const Row last = small_row(1, "fsdp", milliseconds(300), gigabytes(2));
  return text.header() + text.line(refused_row(0)) +
         text.line(small_row(1, "ddp", milliseconds(200), gigabytes(4))) + text.line(last);
}

TEST(RowText, WritesTheSameColumnsInBothFormats) {
  const Row row = small_row(1, "ddp", milliseconds(200), gigabytes(4));
  const std::string json = text_in(LineFormat::kJsonLines).line(row);
  EXPECT_THAT(json, StartsWith(R"({"sweep": "00000000000000aa", "point": 1, )"
                               R"("training.micro_batch": 2, "fingerprint": "0123456789abcdef", )"
                               R"("case": "here/ddp", "strategy": "ddp", )"));
  EXPECT_THAT(json, HasSubstr(R"("tokens_per_s": 5, )"));
  const RowText csv = text_in(LineFormat::kCsv);
  EXPECT_THAT(csv.header(),
              StartsWith("sweep,point,training.micro_batch,fingerprint,case,strategy,"));
  EXPECT_THAT(csv.line(row), StartsWith("00000000000000aa,1,2,0123456789abcdef,here/ddp,ddp,"));
  const std::string line = csv.line(row);
  const std::string header = csv.header();
  EXPECT_EQ(std::count(line.begin(), line.end(), ','),
            std::count(header.begin(), header.end(), ','));
}

TEST(RowText, WritesWhyACaseWasRefused) {
  EXPECT_THAT(text_in(LineFormat::kJsonLines).line(refused_row(0)),
              HasSubstr(R"("step_time_s": null)"));
  EXPECT_THAT(text_in(LineFormat::kCsv).line(refused_row(0)),
              HasSubstr(",,\"not modelled, \"\"so\"\" refused\"\n"));
}

TEST(Resume, RunsTheLastPointAgain) {
  for (const LineFormat format : {LineFormat::kJsonLines, LineFormat::kCsv}) {
    const RowText text = text_in(format);
    const std::string lines = three_lines(text);
    const auto found = resume_from(lines, text);
    ASSERT_TRUE(found.value) << found.reason;
    EXPECT_EQ(found.value->next, 1U);
    EXPECT_EQ(lines.substr(0, found.value->keep) + found.value->again, lines);
    EXPECT_EQ(found.value->keep, text.header().size() + text.line(refused_row(0)).size());
  }
}

TEST(Resume, DropsATornLastLineWhereverItWasTorn) {
  for (const LineFormat format : {LineFormat::kJsonLines, LineFormat::kCsv}) {
    const RowText text = text_in(format);
    const std::string lines = three_lines(text);
    for (std::size_t size = 0; size < lines.size(); ++size) {
      const auto found = resume_from(lines.substr(0, size), text);
      ASSERT_TRUE(found.value) << size << ": " << found.reason;
      const std::string kept = lines.substr(0, found.value->keep) + found.value->again;
      EXPECT_LE(kept.size(), size);
      EXPECT_TRUE(kept.empty() || kept.back() == '\n');
    }
  }
}

TEST(Resume, RefusesLinesOfAnotherSweep) {
  for (const LineFormat format : {LineFormat::kJsonLines, LineFormat::kCsv}) {
    const RowText text = text_in(format);
    const RowText other = text_in(format, "00000000000000bb");
    EXPECT_THAT(resume_from(three_lines(other), text).reason, HasSubstr("line"));
    EXPECT_THAT(resume_from("something else\n", text).reason, HasSubstr("line 1"));
    const std::string backwards = three_lines(text) + text.line(refused_row(0));
    EXPECT_THAT(resume_from(backwards, text).reason, HasSubstr("no line of this sweep"));
  }
}

TEST(Pareto, KeepsWhatNothingBeatsInTheirOrder) {
  const auto columns = columns_of(small_grid(), false);
  const auto goals = parse_goals("step_time,memory", columns);
  ASSERT_TRUE(goals.value);
  const std::vector<Row> rows{small_row(0, "slow", milliseconds(300), gigabytes(9)),
                              small_row(0, "small", milliseconds(300), gigabytes(2)),
                              refused_row(0),
                              small_row(1, "beaten", milliseconds(250), gigabytes(5)),
                              small_row(1, "fast", milliseconds(200), gigabytes(5)),
                              small_row(1, "equal", milliseconds(200), gigabytes(5))};
  std::string names;
  for (const Row& row : non_dominated(rows, *goals.value, columns)) {
    names += std::get<std::string>(row.cells[3]) + " ";
  }
  EXPECT_EQ(names, "small fast equal ");
}

TEST(Pareto, TakesMoreOfARateAsBetter) {
  const auto columns = columns_of(small_grid(), false);
  const auto goals = parse_goals("tokens_per_s", columns);
  const auto kept = non_dominated({small_row(0, "slow", milliseconds(300), gigabytes(1)),
                                   small_row(0, "fast", milliseconds(200), gigabytes(1))},
                                  *goals.value, columns);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(std::get<std::string>(kept.front().cells[3]), "fast");
}

TEST(Pareto, RefusesWhatCannotBeBetter) {
  const auto columns = columns_of(small_grid(), false);
  EXPECT_THAT(parse_goals("step_time,bound_by", columns).reason, HasSubstr("better"));
  EXPECT_THAT(parse_goals("step_tim", columns).hint, HasSubstr("step_time"));
}

}  // namespace
}  // namespace heddle::sweep

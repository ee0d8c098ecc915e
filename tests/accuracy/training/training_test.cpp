// Published training runs against the model. Bounds are the promises of
// scenarios/accuracy/README.md where they hold, else what is reached. Most records belong to two
// families that software shares were fitted to: the last tests hold what comes out without the fit.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "tests/support/printed_json.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

struct Group {
  double n = 0;
  double median = 0;
  double mean = 0;
  double p90 = 0;
  double signed_mean = 0;
};

struct Report {
  std::map<std::string, std::map<std::string, Group>> groups;  // by, name
  double records = 0;
  double unsupported = 0;
  double ordered_pct = 0;
  bool reasons_given = true;
};

Report read_report(const std::string& file) {
  const io::JsonDocument document = printed_json({"accuracy", file});
  const io::Value root = document.root();
  Report report;
  for (const io::Value& group : items(root, "groups")) {
    report.groups[text(group, "by")][text(group, "name")] = {
        number(group, "n"), number(group, "median_abs_pct"), number(group, "mean_abs_pct"),
        number(group, "p90_abs_pct"), number(group, "mean_signed_pct")};
  }
  report.records = static_cast<double>(items(root, "records").size());
  for (const io::Value& record : items(root, "unsupported")) {
    ++report.unsupported;
    report.reasons_given = report.reasons_given && !text(record, "reason").empty();
  }
  report.ordered_pct = number(*root.member("ranking"), "ordered_pct");
  return report;
}

void expect_within(const Group& group, double median, double p90) {
  EXPECT_LE(group.median, median);
  EXPECT_LE(group.p90, p90);
  EXPECT_LE(std::abs(group.signed_mean), 3);
}

void expect_families(const std::map<std::string, Group>& families) {
  for (const auto& [name, family] : families) {
    if (family.n < 5) continue;
    EXPECT_LE(family.mean, 15) << name;
  }
}

void expect_coverage(const Report& report) {
  EXPECT_GE(report.records, 0.6 * (report.records + report.unsupported));
  EXPECT_TRUE(report.reasons_given);
}

// What a reader should expect of software that nothing was fitted to: the GPUs' own shares are
// those of the best shapes, and training does worse.
void expect_as_published(const Report& report) {
  const auto& left_out = report.groups.at("left out");
  const auto& families = report.groups.at("family");
  EXPECT_LE(left_out.at("llmf23").median, 12);
  EXPECT_LE(left_out.at("llmf24").median, 25);
  EXPECT_LE(left_out.at("vtrain").median, 12);
  EXPECT_LE(left_out.at("DeepSpeed").median, 15);
  EXPECT_LE(families.at("torchtune").mean, 5);
  EXPECT_LE(families.at("torchtitan").mean, 5);
}

// One test: the report takes seconds, and every test is a process of its own.
TEST(TrainingTimes, AreWithinTheirBounds) {
  const std::string file = reference_file("training.json");
  if (file.empty()) GTEST_SKIP() << "the measurements are not beside this checkout";
  const Report report = read_report(file);
  expect_within(report.groups.at("nodes").at("one"), 5, 12);
  expect_within(report.groups.at("nodes").at("many"), 8, 18);
  expect_families(report.groups.at("family"));
  expect_coverage(report);
  EXPECT_GE(report.ordered_pct, 95);
  expect_as_published(report);
}

}  // namespace
}  // namespace heddle::test

// Published memory figures against the model. Bounds are promises where they hold, else what is
// reached; scenarios/accuracy/README.md says by how much a promise is missed.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sim/run/memory_report.h"
#include "tests/support/printed_json.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

struct Group {
  double n = 0;
  double mean_abs_pct = 0;
  double p90_abs_pct = 0;
  double worst_abs_pct = 0;
};

/// One run of the program for all tests of a file.
struct Report {
  std::map<std::string, Group> quantities;
  std::map<std::string, Group> families;
  double records = 0;
  double lacking = 0;  // a fact is missing, or it is no measurement
  double unmodelled = 0;
  double unsafe = 0;
  double refused = 0;
};

Report read_report(const std::string& file) {
  const io::JsonDocument document = printed_json({"accuracy", file});
  // Training records have times, too; their memory is a part of the report.
  const io::Value root = document.root().member("memory").value_or(document.root());
  Report report;
  for (const io::Value& group : items(root, "groups")) {
    auto& groups = text(group, "by") == "quantity" ? report.quantities : report.families;
    groups[text(group, "name")] = {number(group, "n"), number(group, "mean_abs_pct"),
                                   number(group, "p90_abs_pct"), number(group, "worst_abs_pct")};
  }
  Diagnostics ignored;
  for (const io::Value& record : items(root, "records")) {
    ++report.records;
    report.unsafe += record.member("unsafe_at_97")->as_bool(ignored).value_or(true) ? 1 : 0;
    report.refused += record.member("refused_at_110")->as_bool(ignored).value_or(true) ? 1 : 0;
  }
  for (const io::Value& point : items(root, "unsupported")) {
    const std::string reason = text(point, "reason");
    const bool lacks =
        reason.starts_with("missing fact") || reason.starts_with("not a measurement");
    (lacks ? report.lacking : report.unmodelled) += 1;
  }
  return report;
}

class MemoryPoints : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string file = reference_file("memory_points.json");
    if (file.empty()) GTEST_SKIP() << "the measurements are not beside this checkout";
    static const Report report = read_report(file);
    report_ = &report;
  }
  const Report* report_ = nullptr;
};

TEST_F(MemoryPoints, NineOfTenWithAFullConfigurationArePredicted) {
  EXPECT_GE(report_->records, 0.9 * (report_->records + report_->unmodelled));
}

TEST_F(MemoryPoints, AllocatedIsWithinItsBound) {
  EXPECT_LE(report_->quantities.at("allocated").mean_abs_pct, 2);
  EXPECT_LE(report_->quantities.at("allocated").worst_abs_pct, 5);
}

TEST_F(MemoryPoints, ReservedIsWithinItsBound) {
  EXPECT_LE(report_->quantities.at("reserved, expandable").mean_abs_pct, 4);
  EXPECT_LE(report_->quantities.at("reserved, default").mean_abs_pct, 8);
}

// The interval behind "fits" is as wide as what was measured.
TEST_F(MemoryPoints, ErrorsOfTheVerdictCoverNineTenths) {
  constexpr run::MemoryErrors kErrors = run::kMemoryErrors;
  const auto p90 = [&](const char* name) { return report_->quantities.at(name).p90_abs_pct / 100; };
  EXPECT_GE(kErrors.active, p90("allocated"));
  EXPECT_GE(kErrors.reserved_default, p90("reserved, default"));
  EXPECT_GE(kErrors.reserved_expandable, p90("reserved, expandable"));
}

TEST_F(MemoryPoints, NoVerdictIsOnTheUnsafeSide) {
  EXPECT_EQ(report_->unsafe, 0);
  EXPECT_LE(report_->refused, 0.1 * report_->records);
}

TEST(TrainingPeaks, EveryFamilyIsWithinItsBoundAndNoVerdictIsUnsafe) {
  const std::string file = reference_file("training.json");
  if (file.empty()) GTEST_SKIP() << "the measurements are not beside this checkout";
  const Report report = read_report(file);
  for (const auto& [name, group] : report.families) {
    EXPECT_LE(group.mean_abs_pct, 6) << name << ", n = " << group.n;
  }
  EXPECT_EQ(report.unsafe, 0);
  EXPECT_LE(report.refused, 0.1 * report.records);
}

}  // namespace
}  // namespace heddle::test

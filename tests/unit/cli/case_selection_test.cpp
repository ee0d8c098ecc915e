#include "sim/cli/case_selection.h"

#include <gtest/gtest.h>

#include "sim/cli/verb_errors.h"

namespace heddle::cli {
namespace {

class CaseSelection : public testing::Test {
 protected:
  CaseSelection() {
    for (const char* id : {"fast", "slow"}) scenario_.fabrics.emplace_back().id = id;
    for (const char* id : {"ddp", "zero1", "fsdp"}) scenario_.strategies.emplace_back().id = id;
    for (std::size_t f = 0; f < 2; ++f) {
      for (std::size_t s = 0; s < 3; ++s) {
        cases_.push_back({f, s, scenario_.fabrics[f].id + "/" + scenario_.strategies[s].id});
      }
    }
  }

  std::vector<std::string> select(const std::string& only, const std::string& id = "") {
    std::vector<std::string> ids;
    for (const auto& c : select_cases(scenario_, cases_, {only, id})) ids.push_back(c.id);
    return ids;
  }

  std::string refusal(const std::string& only, const std::string& id = "") {
    try {
      select(only, id);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  run::Scenario scenario_;
  std::vector<run::CaseId> cases_;
};

using Ids = std::vector<std::string>;

TEST_F(CaseSelection, TakesEverythingUnlessAsked) {
  EXPECT_EQ(select("").size(), 6U);
}

TEST_F(CaseSelection, FiltersBothDimensionsInScenarioOrder) {
  EXPECT_EQ(select("fabric=slow"), (Ids{"slow/ddp", "slow/zero1", "slow/fsdp"}));
  EXPECT_EQ(select("strategy=fsdp,ddp"), (Ids{"fast/ddp", "fast/fsdp", "slow/ddp", "slow/fsdp"}));
  EXPECT_EQ(select("strategy=fsdp,fabric=fast,strategy=ddp"), (Ids{"fast/ddp", "fast/fsdp"}));
  EXPECT_EQ(select("", "slow/zero1"), Ids{"slow/zero1"});
}

TEST_F(CaseSelection, SuggestsForUnknownWords) {
  EXPECT_NE(refusal("strategy=fsp").find("did you mean \"fsdp\""), std::string::npos);
  EXPECT_NE(refusal("fabrik=fast").find("did you mean \"fabric\""), std::string::npos);
  EXPECT_NE(refusal("", "fast/zero2").find("did you mean \"fast/zero1\""), std::string::npos);
  EXPECT_NE(refusal("fast").find("fabric=ID"), std::string::npos);
}

TEST_F(CaseSelection, RefusesAnEmptyIntersection) {
  EXPECT_NE(refusal("fabric=fast", "slow/ddp").find("nothing"), std::string::npos);
}

TEST_F(CaseSelection, ListsIdsWhereOneRunIsNeeded) {
  EXPECT_EQ(require_one(std::span(cases_).first(1), "--trace").id, "fast/ddp");
  try {
    require_one(cases_, "--trace");
    FAIL() << "six runs are not one";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("--trace"), std::string::npos);
    for (const auto& c : cases_) EXPECT_NE(message.find(c.id), std::string::npos) << c.id;
  }
}

}  // namespace
}  // namespace heddle::cli

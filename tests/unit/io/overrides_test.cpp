#include "sim/io/overrides.h"

#include "tests/unit/io/scenarios.h"

namespace heddle::io {
namespace {

TEST(Overrides, PathsHaveDotsOrSlashes) {
  for (const char* path : {"training.micro_batch", "/training/micro_batch"}) {
    const Read read = read_small({{path, "7"}});
    ASSERT_TRUE(read.scenario) << read.messages();
    EXPECT_EQ(read.scenario->batch.micro_batch, 7);
  }
}

TEST(Overrides, ValuesAreJsonOrText) {
  const Read read = read_small(
      {{"fabrics.0.gpus", "[5, 6]"}, {"headroom", "10 %"}, {"/training/keep_outputs", "false"}});
  ASSERT_TRUE(read.scenario) << read.messages();
  EXPECT_EQ(read.scenario->fabrics[0].gpus, (std::vector<run::GpuPlace>{{0, 5}, {0, 6}}));
  EXPECT_EQ(read.scenario->headroom, 0.1);
  EXPECT_FALSE(read.scenario->training.keep_outputs);
}

TEST(Overrides, FieldsLeftToTheirDefaultCanBeSet) {
  const Read read = read_small({{"training.optimizer.type", "adamw"},
                                {"training.optimizer.kernel", "fused"},
                                {"seed", "9"}});
  ASSERT_TRUE(read.scenario) << read.messages();
  EXPECT_EQ(read.scenario->training.optimizer.kernel, parallel::OptimizerKernel::kFused);
  EXPECT_EQ(read.scenario->seed, 9U);
}

TEST(Overrides, LaterOnesWin) {
  const Read read = read_small({{"seed", "1"}, {"seed", "2"}});
  ASSERT_TRUE(read.scenario) << read.messages();
  EXPECT_EQ(read.scenario->seed, 2U);
}

struct Refused {
  const char* path;
  const char* value;
  const char* code;
  const char* pointer;
  const char* text;
};

class RefusedOverride : public testing::TestWithParam<Refused> {};

TEST_P(RefusedOverride, HasAPlaceButNoLine) {
  const Refused& refused = GetParam();
  const Read read = read_small({{refused.path, refused.value}});
  EXPECT_FALSE(read.scenario);
  ASSERT_EQ(read.out.error_count(), 1) << read.messages();
  const Diagnostic& error = read.out.all().front();
  EXPECT_EQ(error.code, refused.code);
  EXPECT_EQ(error.pointer, refused.pointer);
  EXPECT_EQ(error.line, 0);
  EXPECT_NE(format(error).find(refused.text), std::string::npos) << format(error);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, RefusedOverride,
    testing::Values(Refused{"training.microbatch", "2", "unknown-key", "/training/microbatch",
                            "did you mean \"micro_batch\""},
                    Refused{"trainig.steps", "2", "unknown-key", "/trainig", "\"training\""},
                    Refused{"fabrics.2.p2p", "off", "unknown-path", "/fabrics", "2 elements"},
                    Refused{"name.first", "x", "unknown-path", "/name", "string"},
                    Refused{"/host/a~1b~01", "x", "unknown-key", "/host/a~1b~01", "a/b~1"},
                    Refused{"training.micro_batch", "0", "out-of-range", "/training/micro_batch",
                            "is 0"}));

}  // namespace
}  // namespace heddle::io

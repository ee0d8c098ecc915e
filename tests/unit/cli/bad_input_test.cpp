// What a user may get wrong in a file. Each: exit 3, the file, the place, a reason and what to do.

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* place;
  const char* advice;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

class BadScenario : public Program, public testing::WithParamInterface<Mistake> {};

TEST_P(BadScenario, IsNamedWithPlaceAndAdvice) {
  const Mistake& mistake = GetParam();
  write("bad.json", scenario(mistake.from, mistake.to));
  for (const char* verb : {"run", "check"}) {
    const Outcome result = call({verb, path("bad.json")});
    EXPECT_EQ(result.code, 3) << result.out;
    expect_text(result.err, "bad.json");
    expect_text(result.err, mistake.place);
    expect_text(result.err, mistake.advice);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, BadScenario,
    testing::Values(
        Mistake{"truncated", "\"strategies\": [\"ddp\", \"fsdp\"],\n", "\"strategies\": [\"ddp\"",
                "bad.json:", "error"},
        Mistake{"duplicate_key", "\"name\": \"tiny\",\n  \"model\"",
                "\"name\": \"tiny\", \"name\": \"again\",\n  \"model\"", "/name", "twice"},
        Mistake{"unknown_key", "\"micro_batch\": 1", "\"micro_batch\": 1, \"microbatch\": 1",
                "/training/microbatch", "did you mean \"micro_batch\""},
        Mistake{"wrong_type", "\"micro_batch\": 1", "\"micro_batch\": \"one\"",
                "/training/micro_batch", "integer"},
        Mistake{"fraction", "\"micro_batch\": 1", "\"micro_batch\": 1.5", "/training/micro_batch",
                "integer"},
        Mistake{"batch_of_zero", "\"micro_batch\": 1", "\"micro_batch\": 0",
                "/training/micro_batch", "1"},
        Mistake{"negative", "\"sequence_length\": 128", "\"sequence_length\": -128",
                "/training/sequence_length", "1"},
        Mistake{"huge", "\"sequence_length\": 128", "\"sequence_length\": 99999999999999999999",
                "bad.json:", "error"},
        Mistake{"no_unit", "\"10 us\"", "\"10\"", "/host/per_dispatch", "write it like"},
        Mistake{"wrong_unit", "\"10 us\"", "\"10 US\"", "/host/per_dispatch",
                "did you mean \"us\""},
        Mistake{"unknown_strategy", "\"ddp\"", "\"dpp\"", "/strategies/0", "did you mean \"ddp\""},
        Mistake{"unknown_node", "\"node\": \"switched\"", "\"node\": \"switchd\"", "/fabrics/0",
                "did you mean \"switched\""},
        Mistake{"gpu_the_node_lacks", "[0, 1, 2, 3]},\n    {\"id\": \"slow\"",
                "[0, 1, 2, 8]},\n    {\"id\": \"slow\"", "/fabrics/0/gpus/3", "from 0 to 7"},
        Mistake{"duplicate_gpu", "[0, 1, 2, 3]", "[0, 1, 1, 3]", "/fabrics/0/gpus", "hint"},
        Mistake{"missing_config", "tiny/config.json", "tinny/config.json", "/model/config",
                "tinny"}),
    [](const auto& mistake) { return mistake.param.name; });

using BadFile = Program;

TEST_F(BadFile, MissingFilesAreAnsweredWithTheNearestName) {
  const Outcome result = call({"run", path("tny.json")});
  EXPECT_EQ(result.code, 3);
  expect_text(result.err, "tny.json: error: no such file");
  expect_text(result.err, "did you mean \"tiny.json\"");
}

TEST_F(BadFile, EmptyFilesAndFoldersAreRefused) {
  write("empty.json", "");
  const Outcome empty = call({"check", path("empty.json")});
  EXPECT_EQ(empty.code, 3);
  expect_text(empty.err, "empty");
  EXPECT_EQ(call({"run", path("scenarios")}).code, 3);
}

TEST_F(BadFile, UnsupportedModelsAreRefused) {
  write("scenarios/models/tiny/config.json", R"({"model_type": "mixtral"})");
  const Outcome result = call({"run", path("tiny.json")});
  EXPECT_EQ(result.code, 3);
  expect_text(result.err, "config.json");
  expect_text(result.err, "mixtral");
}

TEST_F(BadFile, AllProblemsAreShownAtOnce) {
  std::string text = scenario("\"micro_batch\": 1", "\"micro_batch\": 0");
  text.replace(text.find("\"10 us\""), 7, "\"10\"");
  write("bad.json", text);
  const Outcome result = call({"check", path("bad.json")});
  expect_text(result.err, "/training/micro_batch");
  expect_text(result.err, "/host/per_dispatch");
  expect_text(result.out, "2 errors");
}

TEST_F(BadFile, UnknownMachinesOfASweepAreRefused) {
  const Outcome result = call({"collective", "switchd", "--gpus", "0,1"});
  EXPECT_EQ(result.code, 3);
  expect_text(result.err, "did you mean \"switched\"");
  EXPECT_EQ(call({"collective", "switched", "--gpus", "0,8"}).code, 3);
  EXPECT_EQ(call({"collective", "switched", "--gpus", "1,1"}).code, 3);
}

}  // namespace
}  // namespace heddle::cli

// The command line itself: what is refused with exit 2, and what help and version say.

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

class Usage : public Program {
 protected:
  void refuses(const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome result = call(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    expect_text(result.err, message);
  }
};

TEST_F(Usage, NamesTheVerbsWhenThereIsNone) {
  refuses({}, "collective");
}

TEST_F(Usage, SuggestsVerbsAndOptions) {
  refuses({"rnu", "x.json"}, "did you mean \"run\"");
  refuses({"run", "tiny.json", "--fromat", "json"}, "did you mean \"--format\"");
  refuses({"run", "tiny.json", "--fromat=json"}, "did you mean \"--format\"");
}

TEST_F(Usage, RefusesMissingStrayAndUnknownValues) {
  refuses({"run"}, "FILE");
  refuses({"run", "a.json", "b.json"}, "unexpected argument \"b.json\"");
  refuses({"run", "tiny.json", "--format", "xml"}, "--format");
  refuses({"list", "gpu"}, "gpus");
  refuses({"run", path("tiny.json"), "--set", "training.micro_batch"}, "path=value");
  refuses({"run", path("tiny.json"), "--fail-on", "fire"}, "--fail-on");
  refuses({"collective", "switched", "--gpus", "0,1", "--min", "8"}, "has no unit");
  refuses({"collective", "switched", "--gpus", "0,1", "--min", "2MiB", "--max", "1MiB"}, "--max");
}

TEST_F(Usage, HelpIsASuccessWithAnExample) {
  for (const char* verb : {"run", "explain", "collective", "list", "schema", "check", "accuracy"}) {
    const Outcome help = call({verb, "--help"});
    EXPECT_EQ(help.code, 0);
    expect_text(help.out, std::string("Example: heddle ") + verb);
    EXPECT_EQ(help.err, "");
  }
  expect_text(call({"--help"}).out, "Exit codes: 0 done");
  expect_text(call({"--version"}).out, "heddle 0.");
}

}  // namespace
}  // namespace heddle::cli

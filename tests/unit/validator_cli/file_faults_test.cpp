// A full disk, a folder that is read-only, a disk that breaks: at every call that changes a file.

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sim/io/json_document.h"
#include "tests/unit/cli/program.h"
#include "tests/unit/validator_cli/failing_files.h"
#include "validator/cli/verbs.h"

namespace heddle::validator_cli {
namespace {

using cli::Outcome;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* kOld = "the report of yesterday";
constexpr std::array kErrors = {ENOSPC, EIO, EACCES};

class FileFaults : public cli::Program {
 protected:
  FileFaults() { more_ = {add_validate}; }

  Outcome validate() const {
    return call({"validate", path("tiny.json"), "--case", "fast/ddp", "--ranks", "1", "--backend",
                 "reference", "--attempts", "1", "--tolerance", "1000", "-o", path("r.json")});
  }
  void clean_up() const {
    for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
      if (entry.path().filename().string().starts_with("r.json")) remove(entry.path());
    }
    write("r.json", kOld);
  }
  /// The old report, or a whole new one.
  void expect_a_report() const {
    const std::string text = read("r.json");
    if (text == kOld) return;
    Diagnostics problems;
    EXPECT_TRUE(io::JsonDocument::parse(text, "r.json", problems).has_value());
    EXPECT_THAT(text, HasSubstr("heddle.validation/1"));
  }
  void expect_nothing_left() const {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
      EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
      EXPECT_FALSE(entry.path().string().ends_with(".lock")) << entry.path();
    }
  }
};

TEST_F(FileFaults, EndAsCannotWriteAndLoseNothing) {
  int call = 0;
  for (bool any = true; any;) {
    clean_up();
    const int error = kErrors[static_cast<std::size_t>(++call) % kErrors.size()];
    const test::FailingFiles faults(path("").substr(0, path("").size() - 1), call, error);
    const Outcome outcome = validate();
    any = !faults.failed().empty();
    SCOPED_TRACE(faults.failed() + ": " + outcome.err);
    if (any) {
      EXPECT_EQ(outcome.code, 6);
      EXPECT_THAT(outcome.err, HasSubstr(std::strerror(error)));
      EXPECT_THAT(outcome.err, HasSubstr(path("r.json")));
    } else {
      EXPECT_THAT(outcome.code, AnyOf(0, 1, 5));  // whatever this machine measures today
    }
    expect_a_report();
    expect_nothing_left();
    ASSERT_FALSE(HasFailure());
    ASSERT_LT(call, 40);
  }
  EXPECT_GT(call, 10);
}

}  // namespace
}  // namespace heddle::validator_cli

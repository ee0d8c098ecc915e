// Every tests/bad-schedule/x.hsched is refused with exactly the errors of x.expect, one a line:
// code, line, and text that the printed message contains. Every error has a hint.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "sim/io/file.h"
#include "sim/io/schedule_file.h"

namespace heddle::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> bad_schedules() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(HEDDLE_SOURCE_DIR "/tests/bad-schedule")) {
    if (entry.path().extension() == ".hsched") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool has_error(const Diagnostics& out, const std::string& expected) {
  std::istringstream words(expected);
  std::string code;
  int line = 0;
  std::string text;
  words >> code >> line >> std::ws;
  std::getline(words, text);
  return std::any_of(out.all().begin(), out.all().end(), [&](const Diagnostic& d) {
    return d.code == code && d.line == line && format(d).find(text) != std::string::npos;
  });
}

class BadSchedule : public testing::TestWithParam<fs::path> {};

TEST_P(BadSchedule, IsRefusedWithTheExpectedErrors) {
  Diagnostics out;
  EXPECT_FALSE(read_schedule(read_file(GetParam().string()), "step.hsched", out).has_value());
  std::string printed;
  for (const Diagnostic& d : out.all()) {
    printed += format(d) + "\n";
    EXPECT_FALSE(d.hint.empty()) << format(d);
  }
  SCOPED_TRACE(printed);
  std::istringstream lines(read_file(fs::path(GetParam()).replace_extension(".expect").string()));
  int expected = 0;
  for (std::string line; std::getline(lines, line); ++expected) {
    EXPECT_TRUE(has_error(out, line)) << "missing: " << line;
  }
  EXPECT_EQ(out.error_count(), expected);
}

INSTANTIATE_TEST_SUITE_P(Files, BadSchedule, testing::ValuesIn(bad_schedules()),
                         [](const auto& file) {
                           std::string name = file.param.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace heddle::io

// Every tests/bad/x.json is read and must give exactly the diagnostics of tests/bad/x.expect, one a
// line: code, JSON pointer ("." for the whole file), line, and optionally text that the printed
// message contains.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/base/error.h"
#include "sim/io/scenario_reader.h"

namespace heddle::io {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(HEDDLE_SOURCE_DIR) / "tests/bad";

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorKind::kCannotRead, "cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Expected {
  std::string code;
  std::string pointer;
  int line = 0;
  std::string text;
};

std::vector<Expected> expected_of(const fs::path& file) {
  std::vector<Expected> all;
  std::istringstream lines(read_text(file.string()));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Expected one;
    words >> one.code >> one.pointer >> one.line >> std::ws;
    std::getline(words, one.text);
    if (one.pointer == ".") one.pointer.clear();
    all.push_back(one);
  }
  return all;
}

bool matches(const Diagnostic& got, const Expected& expected) {
  return got.code == expected.code && got.pointer == expected.pointer &&
         got.line == expected.line && format(got).find(expected.text) != std::string::npos;
}

std::vector<std::string> bad_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BadFile : public testing::TestWithParam<std::string> {};

TEST_P(BadFile, GivesTheExpectedDiagnostics) {
  const std::string file = (kFolder / (GetParam() + ".json")).string();
  Diagnostics out;
  EXPECT_FALSE(read_scenario(read_text(file), file, {}, read_text, out).has_value());
  std::string printed;
  int errors = 0;
  for (const Diagnostic& d : out.all()) {
    if (d.severity == Severity::kError) ++errors;
    printed += format(d) + "\n";
  }
  const std::vector<Expected> expected = expected_of(kFolder / (GetParam() + ".expect"));
  EXPECT_EQ(static_cast<std::size_t>(errors), expected.size()) << printed;
  for (const Expected& one : expected) {
    EXPECT_TRUE(std::any_of(out.all().begin(), out.all().end(),
                            [&](const Diagnostic& d) { return matches(d, one); }))
        << one.code << " at " << one.pointer << " line " << one.line << " saying \"" << one.text
        << "\" is not among\n"
        << printed;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BadFile, testing::ValuesIn(bad_files()), [](const auto& file) {
  std::string name = file.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace heddle::io

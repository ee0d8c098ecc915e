// Every tests/bad-import/IMPORTER/x.txt (or x.xml) is refused by that importer with exactly the
// errors of x.expect, one a line: code, line, and text that the printed message contains. Every
// error has a hint.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/io/file.h"
#include "sim/io/import/detect.h"
#include "tests/unit/io/expected_errors.h"

namespace heddle::io {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(HEDDLE_SOURCE_DIR) / "tests/bad-import";

std::vector<fs::path> bad_texts() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    const bool text = entry.is_regular_file() && entry.path().extension() != ".expect";
    if (text) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class BadImport : public testing::TestWithParam<fs::path> {};

TEST_P(BadImport, IsRefusedWithTheExpectedErrors) {
  const std::string name = GetParam().parent_path().filename().string();
  const ImporterSpec* importer = find_importer(name);
  ASSERT_NE(importer, nullptr) << "no importer \"" << name << "\"";
  Diagnostics out;
  EXPECT_FALSE(importer->read(read_file(GetParam().string()), "text", out).has_value());
  expect_errors_of(GetParam(), out);
}

INSTANTIATE_TEST_SUITE_P(Files, BadImport, testing::ValuesIn(bad_texts()), [](const auto& file) {
  std::string name =
      file.param.parent_path().filename().string() + "_" + file.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace heddle::io

// Every file of tests/golden/cases is a test of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/io/file.h"
#include "tests/golden/runner/case_file.h"
#include "tests/golden/runner/run_case.h"

namespace heddle::golden {
namespace {

const std::string kRoot = HEDDLE_SOURCE_DIR;

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot + "/tests/golden/cases")) {
    if (entry.path().extension() == ".case") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class GoldenCase : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenCase, comes_out_as_computed_by_hand) {
  Diagnostics problems;
  const auto golden = parse_case(io::read_file(GetParam()), GetParam(), problems);
  for (const Diagnostic& problem : problems.all()) ADD_FAILURE() << format(problem);
  if (!golden) return;
  for (const std::string& failure : run_case(*golden, kRoot)) {
    ADD_FAILURE() << GetParam() << " (" << golden->why << ")\n" << failure;
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenCase, ::testing::ValuesIn(case_files()), test_name);

}  // namespace
}  // namespace heddle::golden

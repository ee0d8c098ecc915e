// Same input, same bytes out: the result files of the shipped scenarios hash to what is recorded
// here, in every preset and on every machine. A difference between presets is a bug; a difference
// everywhere is a model change, which belongs in the README's list. HEDDLE_UPDATE_BYTES=1 in the
// environment of this test records anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/stable_hash.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

std::string hash_of(const std::vector<std::string>& arguments) {
  const ProgramOutput output = heddle(arguments);
  EXPECT_EQ(output.code, 0) << output.err;
  return StableHash().add(output.out).hex();
}

std::string current() {
  std::string lines;
  for (const char* name :
       {"mistral-7b-4xh200", "mistral-7b-4xa100", "dinov2-base-4xa100", "dinov2-large-4xa100"}) {
    const std::string file = std::string("scenarios/") + name + ".json";
    lines += hash_of({"run", file, "--format", "json"}) + "  run " + file + " --format json\n";
  }
  const std::vector<std::string> sweep{"collective", "8xH200-NVL", "--gpus", "0,1,4,5"};
  lines += hash_of(sweep) + "  collective 8xH200-NVL --gpus 0,1,4,5\n";
  return lines;
}

TEST(Bytes, AreTheRecordedOnes) {
  const std::string file = std::string(HEDDLE_SOURCE_DIR) + "/tests/golden/bytes/expected.txt";
  if (std::getenv("HEDDLE_UPDATE_BYTES") != nullptr) std::ofstream(file) << current();
  std::stringstream expected;
  expected << std::ifstream(file).rdbuf();
  EXPECT_EQ(current(), expected.str());
}

}  // namespace
}  // namespace heddle::test

// Same input, same bytes out: what the program prints for the shipped scenarios hashes to what
// expected.txt records, in every preset and on every machine. A difference between presets is a
// bug; a difference everywhere is a model change, which belongs in the README's list, and
// tests/golden/bytes/update.py records it. The fingerprint is left out: it names all hardware
// files, those that a scenario does not use included.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/stable_hash.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

std::string without_fingerprint(const std::string& text) {
  const std::string key = "\"fingerprint\": ";
  std::string kept = text;
  for (std::size_t at = kept.find(key); at != std::string::npos; at = kept.find(key)) {
    const std::size_t start = kept.rfind('\n', at);
    kept.erase(start, kept.find('\n', at) - start);
  }
  return kept;
}

TEST(Bytes, AreTheRecordedOnes) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/tests/golden/bytes/expected.txt");
  int checked = 0;
  for (std::string line; std::getline(file, line); ++checked) {
    std::istringstream words(line);
    std::string hash;
    words >> hash;
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    const ProgramOutput output = heddle(arguments);
    ASSERT_EQ(output.code, 0) << output.err;
    EXPECT_EQ(StableHash().add(without_fingerprint(output.out)).hex(), hash) << line;
  }
  EXPECT_GE(checked, 5);
}

}  // namespace
}  // namespace heddle::test

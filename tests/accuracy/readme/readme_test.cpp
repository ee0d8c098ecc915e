// The README shows what the program prints. Blocks look like this:
//
//   <!-- table: run scenarios/x.json -->
//   ```
//   lines of the output, without a gap
//   ```
//   <!-- table end -->
//
// tests/accuracy/readme/update.py rewrites them.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

struct Block {
  std::vector<std::string> arguments;
  std::string text;
};

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::vector<Block> readme_blocks() {
  std::ifstream readme(std::string(HEDDLE_SOURCE_DIR) + "/README.md");
  std::vector<Block> blocks;
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
    const std::string begin = "<!-- table: ";
    if (line.rfind(begin, 0) == 0) {
      blocks.push_back({words(line.substr(begin.size(), line.size() - begin.size() - 4)), ""});
      inside = true;
    } else if (line == "<!-- table end -->") {
      inside = false;
    } else if (inside && line.rfind("```", 0) != 0) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

TEST(Readme, ShowsWhatTheProgramPrints) {
  const std::vector<Block> blocks = readme_blocks();
  ASSERT_EQ(blocks.size(), 5U);
  for (Block block : blocks) {
    ASSERT_FALSE(block.text.empty()) << "an empty table; run tests/accuracy/readme/update.py";
    if (block.arguments.front() == "accuracy") {
      block.arguments.at(1) = reference_file(block.arguments.at(1));
      if (block.arguments.at(1).empty()) continue;  // the accuracy test counts the skip
    }
    const ProgramOutput output = heddle(block.arguments);
    ASSERT_EQ(output.code, 0) << output.err;
    EXPECT_NE(output.out.find(block.text), std::string::npos)
        << "README.md is not what the program prints; run tests/accuracy/readme/update.py\n"
        << output.out;
  }
}

}  // namespace
}  // namespace heddle::test

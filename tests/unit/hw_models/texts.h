#pragma once
// Hardware files for tests, changed one place at a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "hw_models/data_file.h"

namespace heddle::hw_models {

inline std::string source_path(const std::string& path) {
  return std::string(HEDDLE_SOURCE_DIR) + "/" + path;
}

inline std::string read_source_file(const std::string& path) {
  std::ifstream stream(source_path(path), std::ios::binary);
  EXPECT_TRUE(stream.good()) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline DataFile shipped(const std::string& section, const std::string& stem) {
  const std::string path = "hw_models/" + section + "/" + stem + ".json";
  return {path, stem, read_source_file(path)};
}

/// The first `from` replaced; fails if there is none.
inline DataFile changed(DataFile file, const std::string& from, const std::string& to) {
  const std::size_t at = file.text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) file.text.replace(at, from.size(), to);
  return file;
}

inline bool has_code(const Diagnostics& out, const std::string& code) {
  return std::any_of(out.all().begin(), out.all().end(),
                     [&code](const Diagnostic& d) { return d.code == code; });
}

}  // namespace heddle::hw_models

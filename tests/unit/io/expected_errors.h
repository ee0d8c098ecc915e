#pragma once
// x.expect beside a bad file x: one error a line, as code, line, and text that the printed message
// contains.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/file.h"

namespace heddle::io {

inline bool has_error(const Diagnostics& out, const std::string& expected) {
  std::istringstream words(expected);
  std::string code;
  int line = 0;
  std::string text;
  words >> code >> line >> std::ws;
  std::getline(words, text);
  return std::any_of(out.all().begin(), out.all().end(), [&](const Diagnostic& d) {
    return d.severity == Severity::kError && d.code == code && d.line == line &&
           format(d).find(text) != std::string::npos;
  });
}

/// Exactly the errors that are expected of `bad`, each with a hint.
inline void expect_errors_of(const std::filesystem::path& bad, const Diagnostics& out) {
  std::string printed;
  for (const Diagnostic& d : out.all()) {
    printed += format(d) + "\n";
    EXPECT_TRUE(d.severity != Severity::kError || !d.hint.empty()) << format(d);
  }
  SCOPED_TRACE(printed);
  std::istringstream lines(
      read_file(std::filesystem::path(bad).replace_extension(".expect").string()));
  int expected = 0;
  for (std::string line; std::getline(lines, line); ++expected) {
    EXPECT_TRUE(has_error(out, line)) << "missing: " << line;
  }
  EXPECT_EQ(out.error_count(), expected);
}

}  // namespace heddle::io

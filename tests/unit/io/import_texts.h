#pragma once
// One way to run an importer of the table in a test.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/io/import/importers.h"
#include "sim/io/json_writer.h"

namespace heddle::io {

/// What the importer `name` reads; fails the test if there is no such importer.
inline std::optional<Imported> import_text(const std::string& name, const std::string& text,
                                           Diagnostics& out) {
  for (const ImporterSpec& spec : importers()) {
    if (spec.name == name) return spec.read(text, "in.txt", out);
  }
  ADD_FAILURE() << "no importer " << name;
  return std::nullopt;
}

/// The one that reads the text and finds no error in it.
inline Imported imported(const std::string& name, const std::string& text) {
  Diagnostics out;
  auto result = import_text(name, text, out);
  EXPECT_TRUE(result.has_value()) << (out.empty() ? "" : format(out.all().front()));
  return result.value_or(Imported{});
}

/// Refused, and the first error has this code and line, blames the file and has a hint.
inline void expect_refused(const std::string& name, const std::string& text,
                           const std::string& code, int line) {
  Diagnostics out;
  EXPECT_FALSE(import_text(name, text, out).has_value());
  const auto error = std::find_if(out.all().begin(), out.all().end(), [](const Diagnostic& d) {
    return d.severity == Severity::kError;
  });
  ASSERT_NE(error, out.all().end());
  EXPECT_EQ(error->code, code) << error->message;
  EXPECT_EQ(error->line, line) << error->message;
  EXPECT_EQ(error->file, "in.txt");
  EXPECT_FALSE(error->hint.empty());
}

/// Codes of the warnings of an accepted text, in order.
inline std::vector<std::string> warnings(const std::string& name, const std::string& text) {
  Diagnostics out;
  EXPECT_TRUE(import_text(name, text, out).has_value());
  std::vector<std::string> codes;
  for (const Diagnostic& d : out.all()) codes.push_back(d.code);
  return codes;
}

/// "X NV4 SYS" of a row; "?" where a cell is missing.
inline std::string row(const TokenMatrix& matrix, std::size_t i) {
  std::string text;
  for (const auto& cell : matrix.at(i)) text += (text.empty() ? "" : " ") + cell.value_or("?");
  return text;
}

inline std::string details_json(const Imported& result) {
  JsonWriter writer;
  writer.begin_object().inline_from_here();
  if (result.details) result.details->write(writer);
  writer.end_object();
  return writer.take();
}

/// The text with the first `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

}  // namespace heddle::io

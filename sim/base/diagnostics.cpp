#include "sim/base/diagnostics.h"

#include <fmt/format.h>
#include <algorithm>

#include <utility>

namespace heddle {

void Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::kError) ++error_count_;
  all_.push_back(std::move(d));
}

void Diagnostics::error(std::string code, std::string file, std::string pointer, int line,
                        std::string message, std::string hint) {
  add({Severity::kError, std::move(code), std::move(file), std::move(pointer), line,
       std::move(message), std::move(hint)});
}

std::string first_error(const Diagnostics& diagnostics) {
  const auto& all = diagnostics.all();
  const auto error = std::find_if(
      all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; });
  return error == all.end() ? "unknown" : error->message;
}

std::string format(const Diagnostic& d) {
  static constexpr std::string_view kNames[] = {"note", "warning", "error"};
  std::string out = d.file;
  if (d.line > 0) out += fmt::format(":{}", d.line);
  if (!out.empty()) out += ": ";
  out += kNames[static_cast<int>(d.severity)];
  if (!d.pointer.empty()) out += " at " + d.pointer;
  out += fmt::format(": {} [{}]", d.message, d.code);
  if (!d.hint.empty()) out += "\n  hint: " + d.hint;
  return out;
}

}  // namespace heddle

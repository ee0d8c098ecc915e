#include "sim/cli/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::cli {
namespace {

std::string counted(const Diagnostics& diagnostics, Severity severity, std::string_view word) {
  const auto n = std::count_if(diagnostics.all().begin(), diagnostics.all().end(),
                               [severity](const Diagnostic& d) { return d.severity == severity; });
  return n == 0 ? "" : fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

}  // namespace

void print_diagnostics(const Diagnostics& diagnostics, Severity least, std::ostream& out) {
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity >= least) out << format(d) << '\n';
  }
}

std::string count_text(const Diagnostics& diagnostics) {
  std::string text;
  for (const std::string& part : {counted(diagnostics, Severity::kError, "error"),
                                  counted(diagnostics, Severity::kWarning, "warning"),
                                  counted(diagnostics, Severity::kNote, "note")}) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text.empty() ? "nothing to report" : text;
}

}  // namespace heddle::cli

#include "sim/sweep/refusal_text.h"

namespace heddle::sweep {

std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == '\r' || c == ' ';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

std::string refusal_text(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& d : problems.all()) {
    if (d.severity != Severity::kError) continue;
    if (!text.empty()) text += "; ";
    if (!d.pointer.empty()) text += d.pointer + ": ";
    text += d.message;
    if (!d.hint.empty()) text += " (" + d.hint + ")";
  }
  return one_line(text);
}

}  // namespace heddle::sweep

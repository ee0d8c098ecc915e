#include "tests/golden/runner/case_file.h"

#include <sstream>

namespace heddle::golden {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// Both sides of the first `mark`, trimmed; the second is empty if there is none.
std::pair<std::string, std::string> split(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {trimmed(text), ""};
  return {trimmed(text.substr(0, at)), trimmed(text.substr(at + mark.size()))};
}

class Parser {
 public:
  Parser(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  void line(int number, const std::string& text) {
    number_ = number;
    const auto [left, right] = split(text, "=");
    const auto [word, rest] = split(left, " ");
    if (right.empty()) {
      fault("expected \"key = value\"");
    } else if (word == "set") {
      case_.overrides.emplace_back(rest, right);
    } else if (word == "expect") {
      expectation(rest, right);
    } else if (left == "error") {
      error(right);
    } else if (std::string* field = header(left)) {
      *field = right;
    } else {
      fault("unknown key \"" + left + "\"");
    }
  }

  CaseFile finish() {
    number_ = 0;
    for (const char* key : {"name", "why", "tags", "base"}) {
      if (header(key)->empty()) fault(std::string("needs a line \"") + key + " = ...\"");
    }
    if (case_.expectations.empty() == case_.errors.empty()) {
      fault("needs either expect lines or error lines");
    }
    return std::move(case_);
  }

 private:
  std::string* header(const std::string& key) {
    if (key == "name") return &case_.name;
    if (key == "why") return &case_.why;
    if (key == "tags") return &case_.tags;
    return key == "base" ? &case_.base : nullptr;
  }

  void expectation(const std::string& target, const std::string& answer) {
    const auto [case_id, metric] = split(target, " ");
    const auto [number, computation] = split(answer, "#");
    const auto [value, tolerance] = split(number, "+-");
    if (metric.empty() || value.empty()) fault("expected \"expect CASE METRIC = VALUE +- ...\"");
    if (computation.empty()) fault("needs its hand computation after #");
    case_.expectations.push_back({number_, case_id, metric, value, tolerance, computation});
  }

  void error(const std::string& answer) {
    const auto [code, pointer] = split(answer, " at ");
    if (pointer.empty()) fault("expected \"error = CODE at /json/pointer\"");
    case_.errors.push_back({number_, code, pointer});
  }

  void fault(std::string message) {
    out_.error("bad-case", file_, "", number_, std::move(message));
  }

  const std::string& file_;
  Diagnostics& out_;
  CaseFile case_;
  int number_ = 0;
};

}  // namespace

std::optional<CaseFile> parse_case(std::string_view text, const std::string& file,
                                   Diagnostics& out) {
  Parser parser(file, out);
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line);
    if (!line.empty() && line.front() != '#') parser.line(number, line);
  }
  CaseFile result = parser.finish();
  if (out.has_errors()) return std::nullopt;
  return result;
}

}  // namespace heddle::golden

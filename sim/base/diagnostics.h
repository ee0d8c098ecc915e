#pragma once
// Problems in what the user gave us, collected so that all of them are shown at once. A loader
// returns its object, or nothing and at least one error here; it never throws and never prints.

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class Severity { kNote, kWarning, kError };

/// One problem: where it is (file, JSON pointer or "" for text files, 1-based line or 0), what is
/// wrong, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;     // stable identifier, e.g. "unknown-key"
  std::string file;     // as the user named it
  std::string pointer;  // RFC 6901 JSON pointer, e.g. "/training/micro_batch"
  int line = 0;
  std::string message;
  std::string hint;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

class Diagnostics {
 public:
  void add(Diagnostic d);
  void error(std::string code, std::string file, std::string pointer, int line, std::string message,
             std::string hint = "");
  bool has_errors() const { return error_count_ > 0; }
  int error_count() const { return error_count_; }
  bool empty() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  int error_count_ = 0;
};

/// Message of the first error; "unknown" if there is none.
std::string first_error(const Diagnostics& diagnostics);

/// "scenario.json:12: error at /training/micro_batch: must be at least 1 [out-of-range]\n  hint:
/// .."
std::string format(const Diagnostic& d);

}  // namespace heddle

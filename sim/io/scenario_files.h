#pragma once
// The files a scenario names, found beside it.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/io/scenario_reader.h"

namespace heddle::io {

class ScenarioFiles {
 public:
  /// `scenario` is the scenario's own file name. Keeps references.
  ScenarioFiles(const std::string& scenario, const ReadText& read, Diagnostics& out)
      : scenario_(scenario), read_(read), out_(out) {}

  /// `name` as the scenario's author meant it: relative to the scenario's folder.
  std::string resolve(const std::string& name) const;
  /// Content of resolve(name); a diagnostic at `at` if it cannot be read.
  std::optional<std::string> read(const std::string& name, const Value& at);
  /// The same for a file whose meaning ends up in the scenario itself: not among texts().
  std::optional<std::string> read_unhashed(const std::string& name, const Value& at);
  /// Everything that read() gave so far, in order.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  const std::string& scenario_;
  const ReadText& read_;
  Diagnostics& out_;
  std::vector<std::string> texts_;
};

}  // namespace heddle::io

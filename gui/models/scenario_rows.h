#pragma once
// A scenario as rows to edit: every setting with its value, its unit inside the value as in the
// file, and where the value comes from.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/models/edit_history.h"
#include "sim/base/diagnostics.h"
#include "sim/io/json_document.h"
#include "sim/run/scenario.h"

namespace heddle::gui {

enum class Origin : std::uint8_t { kFile, kDefault, kChanged };
std::string_view to_string(Origin origin);  // "file", "default", "changed"

struct ScenarioRow {
  std::string path;     // "training.micro_batch", as --set takes it
  std::string section;  // "training", "fabric nvswitch", "strategy ddp"
  std::string name;     // "micro_batch", "options.bucket_cap_mb"
  std::string value;    // a change that is faulty included
  Origin origin = Origin::kDefault;
  std::string problem;  // what the reader says of it; "" if it is sound
};

class ScenarioRows {
 public:
  /// `text` is the file's; `scenario` the last that was read without error, of it or with changes.
  ScenarioRows(const run::Scenario& scenario, const std::string& text, const Edits& edits,
               const Diagnostics& problems);

  const std::vector<ScenarioRow>& rows() const { return rows_; }
  /// What --set must be told so that `path` becomes `value`. Where the file has a short form (a
  /// strategy's bare name), the whole of it is written out.
  std::pair<std::string, std::string> edit_for(const std::string& path,
                                               const std::string& value) const;

 private:
  void add(const io::JsonNode& node, const std::string& path, const std::string& section,
           const std::string& name);
  void add_entries(const io::JsonNode& list, const std::string& key, const std::string& word);
  Origin origin_of(const std::string& path) const;

  std::vector<ScenarioRow> rows_;
  std::optional<io::JsonDocument> full_;  // with every default spelt out
  std::optional<io::JsonDocument> file_;
  const Edits& edits_;
  const Diagnostics& problems_;
};

}  // namespace heddle::gui

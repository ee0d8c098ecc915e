#pragma once
// Takes keys out of one object of a foreign configuration. Every key is decided on, listed as
// without effect, or refused by name; null counts as absent, as in the frameworks.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/io/object_reader.h"
#include "sim/io/training_import/training_setup.h"

namespace heddle::io {

/// Why a decision was made: the file states it.
inline constexpr std::string_view kInFile = "as the file says";

class ConfigKeys {
 public:
  /// `path` is the object's own, "" at the top; "zero_optimization".
  ConfigKeys(const Value& object, std::string path, TrainingSetup& setup, Diagnostics& out);

  std::optional<Value> take(std::string_view key);
  /// The object below that key.
  std::optional<ConfigKeys> section(std::string_view key);
  /// A diagnostic and nullopt if it is there and no such thing.
  std::optional<bool> flag(std::string_view key);
  std::optional<double> number(std::string_view key);
  std::optional<std::int64_t> count(std::string_view key, std::int64_t low, std::int64_t high);
  std::optional<std::string> word(std::string_view key);  // in lower case
  /// Whether the key is there and says "auto".
  bool is_auto(std::string_view key);

  /// Keys that touch neither memory nor time.
  void without_effect(std::initializer_list<std::string_view> keys);
  /// Those of them that nobody asked for yet touch neither.
  void rest_without_effect(std::span<const std::string_view> keys);
  /// Refuses the key unless it is absent or its text is one of `harmless` (lower case).
  void only(std::string_view key, std::initializer_list<std::string_view> harmless,
            std::string_view reason, std::string_view hint);
  void refuse(std::string_view key, std::string reason, std::string_view hint);

  void decide(std::string_view key, std::string became, std::string_view why);

  /// Refuses the keys nobody asked for.
  void finish();
  const Value& object() const { return reader_.object(); }
  /// The key's value, or the object if there is none.
  Value place_of(std::string_view key) const {
    return reader_.object().member(key).value_or(reader_.object());
  }
  Diagnostics& diagnostics() { return *out_; }

 private:
  std::string path_of(std::string_view key) const;
  std::string text_of(std::string_view key) const;

  std::string path_;
  TrainingSetup* setup_;
  Diagnostics* out_;
  ObjectReader reader_;
  std::vector<std::string> known_;
};

}  // namespace heddle::io

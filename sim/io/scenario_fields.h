#pragma once
// Fields of an object in a scenario. A field that is missing or wrong is a diagnostic and some
// harmless value: reading goes on, so that one run finds every problem.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/object_reader.h"
#include "sim/io/scenario_words.h"

namespace heddle::io {

/// A rate above 0 and at most kMaxRate; nullopt after a diagnostic.
std::optional<Bandwidth> read_rate(const Value& value, Diagnostics& out);

class ScenarioFields {
 public:
  ScenarioFields(const Value& object, Diagnostics& out) : reader_(object, out), out_(out) {}

  std::optional<Value> required(std::string_view key) { return reader_.required(key); }
  std::optional<Value> optional(std::string_view key) { return reader_.optional(key); }
  /// Reports the keys not asked for.
  void finish() { reader_.finish(); }
  const Value& object() const { return reader_.object(); }
  Diagnostics& diagnostics() { return out_; }

  /// Required and not empty; "" after a diagnostic.
  std::string text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view otherwise);
  std::vector<std::string> texts(std::string_view key);  // absent: none
  bool flag_or(std::string_view key, bool otherwise);
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::int64_t integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                          std::int64_t otherwise);
  /// "2 %", from `low` to below 100 %.
  double share_or(std::string_view key, double low, double otherwise);
  /// At most kMaxHostTime.
  Duration host_time_or(std::string_view key, Duration otherwise);

  template <typename T>
  T word(std::string_view key, const Vocabulary<T>& known) {
    return read_word(required(key), known).value_or(T{});
  }
  /// nullopt if absent, or wrong after a diagnostic.
  template <typename T>
  std::optional<T> optional_word(std::string_view key, const Vocabulary<T>& known) {
    return read_word(optional(key), known);
  }

 private:
  template <typename T>
  std::optional<T> read_word(const std::optional<Value>& value, const Vocabulary<T>& known) {
    const auto typed = value ? value->as_string(out_) : std::nullopt;
    if (!typed) return std::nullopt;
    std::vector<std::string> names;
    for (const Word<T>& word : known.words) {
      if (word.name == *typed) return word.value;
      names.emplace_back(word.name);
    }
    refuse_word(*value, *typed, known.what, names);
    return std::nullopt;
  }
  void refuse_word(const Value& at, const std::string& typed, std::string_view what,
                   const std::vector<std::string>& names);

  ObjectReader reader_;
  Diagnostics& out_;
};

}  // namespace heddle::io

#pragma once
// What is done with a list of options (option_list.h): read from JSON, written to it, described in
// the schema, hashed. The hash passes over options at their defaults, so that a new option changes
// no fingerprint that exists.

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/stable_hash.h"
#include "sim/io/json_writer.h"
#include "sim/io/option_list.h"
#include "sim/io/percent_text.h"
#include "sim/io/scenario_fields.h"

namespace heddle::io {

template <typename O>
class OptionReader {
 public:
  OptionReader(ScenarioFields& fields, O& object) : fields_(fields), object_(object) {}

  void flag(std::string_view key, bool O::*member, std::string_view) {
    object_.*member = fields_.flag_or(key, object_.*member);
  }
  void integer(std::string_view key, std::int64_t O::*member, std::int64_t low, std::int64_t high,
               std::string_view) {
    object_.*member = fields_.integer_or(key, low, high, object_.*member);
  }
  void share(std::string_view key, double O::*member, double low, std::string_view) {
    object_.*member = fields_.share_or(key, low, object_.*member);
  }
  template <typename T>
  void word(std::string_view key, T O::*member, const Vocabulary<T>& known, std::string_view) {
    object_.*member = fields_.optional_word(key, known).value_or(object_.*member);
  }

 private:
  ScenarioFields& fields_;
  O& object_;
};

template <typename O>
class OptionWriter {
 public:
  OptionWriter(JsonWriter& writer, const O& object) : writer_(writer), object_(object) {}

  void flag(std::string_view key, bool O::*member, std::string_view) {
    writer_.field(key, object_.*member);
  }
  void integer(std::string_view key, std::int64_t O::*member, std::int64_t, std::int64_t,
               std::string_view) {
    writer_.field(key, object_.*member);
  }
  void share(std::string_view key, double O::*member, double, std::string_view) {
    writer_.field(key, percent_text(object_.*member));
  }
  template <typename T>
  void word(std::string_view key, T O::*member, const Vocabulary<T>& known, std::string_view) {
    writer_.field(key, known.name_of(object_.*member));
  }

 private:
  JsonWriter& writer_;
  const O& object_;
};

template <typename O>
class OptionHasher {
 public:
  OptionHasher(StableHash& hash, const O& object) : hash_(hash), object_(object) {}

  void flag(std::string_view key, bool O::*member, std::string_view) { add(key, member); }
  void integer(std::string_view key, std::int64_t O::*member, std::int64_t, std::int64_t,
               std::string_view) {
    add(key, member);
  }
  void share(std::string_view key, double O::*member, double, std::string_view) {
    if (object_.*member == default_.*member) return;
    hash_.add(key).add(std::bit_cast<std::uint64_t>(object_.*member));
  }
  template <typename T>
  void word(std::string_view key, T O::*member, const Vocabulary<T>&, std::string_view) {
    add(key, member);
  }

 private:
  template <typename T>
  void add(std::string_view key, T O::*member) {
    if (object_.*member == default_.*member) return;
    hash_.add(key).add(static_cast<std::int64_t>(object_.*member));
  }

  StableHash& hash_;
  const O& object_;
  const O default_{};
};

/// Collects properties of a JSON schema as text.
class SchemaProperties {
 public:
  /// `type` and `otherwise` are JSON.
  void add(std::string_view key, std::string_view what, const std::string& type,
           const std::string& otherwise);
  /// Each on a line, with commas between them.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};
/// A percentage from 0 to below 100 %.
inline constexpr std::string_view kShareType =
    R"-("type": "string", "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *%$")-";
std::string integer_type(std::int64_t low, std::int64_t high);
std::string enum_type(const std::vector<std::string>& names);

template <typename O>
class OptionSchema {
 public:
  void flag(std::string_view key, bool O::*member, std::string_view what) {
    properties_.add(key, what, R"("type": "boolean")", default_.*member ? "true" : "false");
  }
  void integer(std::string_view key, std::int64_t O::*member, std::int64_t low, std::int64_t high,
               std::string_view what) {
    properties_.add(key, what, integer_type(low, high), std::to_string(default_.*member));
  }
  void share(std::string_view key, double O::*member, double, std::string_view what) {
    properties_.add(key, what, std::string(kShareType), '"' + percent_text(default_.*member) + '"');
  }
  template <typename T>
  void word(std::string_view key, T O::*member, const Vocabulary<T>& known, std::string_view what) {
    std::vector<std::string> names;
    for (const Word<T>& w : known.words) names.emplace_back(w.name);
    properties_.add(key, what, enum_type(names),
                    '"' + std::string(known.name_of(default_.*member)) + '"');
  }
  const std::string& text() const { return properties_.text(); }

 private:
  const O default_{};
  SchemaProperties properties_;
};

template <typename O>
void read_options(ScenarioFields& fields, O& object) {
  OptionReader<O> visitor(fields, object);
  list_options(visitor, &object);
}

template <typename O>
void write_options(JsonWriter& writer, const O& object) {
  OptionWriter<O> visitor(writer, object);
  list_options(visitor, &object);
}

template <typename O>
void hash_options(StableHash& hash, const O& object) {
  OptionHasher<O> visitor(hash, object);
  list_options(visitor, &object);
}

template <typename O>
std::string options_schema() {
  OptionSchema<O> visitor;
  list_options(visitor, static_cast<const O*>(nullptr));
  return visitor.text();
}

}  // namespace heddle::io

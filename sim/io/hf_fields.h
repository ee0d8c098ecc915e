#pragma once
// Fields of a Hugging Face config.json: present and checked, or derived with the origin recorded.
// Keys that would change the model in a way we do not model are refused here.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/object_reader.h"
#include "sim/model/model_spec.h"

namespace heddle::io {

class HfFields {
 public:
  HfFields(ObjectReader& object, model::ModelSpec& spec, Diagnostics& out)
      : object_(object), spec_(spec), out_(out) {}

  /// Value in [low, high]; 0 after a diagnostic, which stands for "unknown" below.
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high);
  /// The same; absent or null gives `derived`, recorded with `origin`.
  std::int64_t integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                          std::int64_t derived, std::string origin);
  double number_or(std::string_view key, double low, double high, double derived,
                   std::string origin);
  bool flag_or(std::string_view key, bool derived, std::string origin);

  /// Present and not null: an error with `reason`.
  void refuse(std::string_view key, std::string_view reason, std::string hint);
  /// Present and not `allowed`: an error with `reason`.
  void only(std::string_view key, bool allowed, std::string_view reason);
  void only_number(std::string_view key, double allowed, std::string_view reason);
  /// The index of the key's text among `allowed`, the first where the key is absent; an error with
  /// `reason`, and 0, for any other.
  std::size_t choice_or_first(std::string_view key, const std::vector<std::string>& allowed,
                              std::string_view reason, std::string origin);
  /// Required text with one allowed value.
  void only_text(std::string_view key, std::string_view allowed, std::string_view reason);

  /// The key's value unless absent or null.
  std::optional<Value> present(std::string_view key);
  /// Present and null, which some keys tell apart from absent.
  bool is_null(std::string_view key);
  /// An error at `key` about values that do not go together.
  void inconsistent(std::string_view key, std::string message,
                    std::string hint = "check the values against the published config.json");
  Diagnostics& diagnostics() { return out_; }

 private:
  void derive(std::string_view key, std::string value, std::string origin);

  ObjectReader& object_;
  model::ModelSpec& spec_;
  Diagnostics& out_;
};

}  // namespace heddle::io

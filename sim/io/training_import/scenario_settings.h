#pragma once
// The scenario's one "training", into which every configuration file of its strategies feeds. What
// the scenario states itself stands; what it leaves open, a file fills in; whoever says something
// else afterwards is in conflict.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/io/scenario_words.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// Whether a file says so itself, or its silence means so: then the scenario may say otherwise, for
/// a script can do it by itself, and only files contradict each other.
enum class Origin { kStated, kDefault };

class ScenarioSettings {
 public:
  /// `training` is that object of the scenario, if it has one; it is read into `scenario` already.
  ScenarioSettings(const std::optional<Value>& training, run::Scenario& scenario, Diagnostics& out);

  const run::Scenario& scenario() const { return scenario_; }
  Diagnostics& diagnostics() { return out_; }

  void micro_batch(std::int64_t value, const Value& at);
  void accumulation(std::int64_t value, const Value& at);
  void clipping(bool value, const Value& at);
  void precision(model::Precision value, const Value& at);
  void optimizer(parallel::OptimizerKind kind, parallel::OptimizerKernel kernel, const Value& at);
  void offload_optimizer(bool value, const Value& at);
  void offload_parameters(bool value, const Value& at);
  void checkpointing(model::Checkpointing value, const Value& at, Origin origin = Origin::kStated);
  void compiled(bool value, const Value& at, Origin origin = Origin::kStated);
  /// Fused norm, product and loss; without Liger the scenario may have them from elsewhere.
  void liger(bool on, const Value& at);

 private:
  /// `key` as in the scenario below "training".
  template <typename T>
  void set(std::string_view key, T& member, const T& value, const std::string& text,
           const std::string& present, const Value& at, Origin origin = Origin::kStated) {
    if (origin == Origin::kDefault && is_stated(key)) return;
    const std::string claimed = claim(key, at);
    if (member == value) return;
    if (claimed.empty()) {
      member = value;
    } else {
      refuse(key, text, present, claimed, at);
    }
  }
  template <typename T>
  void set_word(std::string_view key, T& member, T value, const Vocabulary<T>& words,
                const Value& at, Origin origin = Origin::kStated) {
    set(key, member, value, quoted(words.name_of(value)), quoted(words.name_of(member)), at,
        origin);
  }
  static std::string quoted(std::string_view word) { return '"' + std::string(word) + '"'; }
  void set_flag(std::string_view key, bool& member, bool value, const Value& at,
                Origin origin = Origin::kStated);
  void set_count(std::string_view key, std::int64_t& member, std::int64_t value, const Value& at);
  bool is_stated(std::string_view key) const;  // by the scenario
  /// Who has set the key before, or "".
  std::string claim(std::string_view key, const Value& at);
  void refuse(std::string_view key, const std::string& text, const std::string& present,
              const std::string& claimed, const Value& at);

  run::Scenario& scenario_;
  Diagnostics& out_;
  std::map<std::string, std::string, std::less<>> set_by_;  // key -> "the scenario" or a file
};

}  // namespace heddle::io

#pragma once
// What the lists of fabrics and of strategies share. Ids are parts of "<fabric>/<strategy>" and of
// --only's lists.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"

namespace heddle::io {

/// The entries of a list of fabrics or strategies: at least one, at most kMaxChoices.
std::vector<Value> choice_items(const Value& list, Diagnostics& out);

/// The entries of a list that may be empty, at most kMaxChoices; `what` they are.
std::vector<Value> limited_items(const Value& list, std::string_view what, Diagnostics& out);

/// The ids of one list. Letters, digits and . _ - + only, each id once.
class ChoiceIds {
 public:
  static bool allows(char c);
  /// Reports an id that cannot be one or was claimed before; `at` is the place to blame.
  void claim(const std::string& id, const Value& at, Diagnostics& out);

 private:
  std::map<std::string, std::string> pointer_of_;
};

}  // namespace heddle::io

#pragma once
// JSON objects with blanks: a string that is "$name" stands for the value of that name, "${name}"
// inside a string for its text. Objects are laid over one another as RFC 7386 merge patches.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::io {

/// Values by name, each as JSON text: `4096`, `"fsdp"`, `null`.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

/// `patch` laid over `base`, both JSON objects as text; "" stands for an empty object.
std::string merge_patch(std::string_view base, std::string_view patch);

struct FilledTemplate {
  std::string text;                  // indented by two, keys in the order they first came
  std::vector<std::string> unknown;  // names without a value, or with null inside a string
};
FilledTemplate fill_template(std::string_view text, const TemplateValues& values);

}  // namespace heddle::io

#include "tests/support/printed_json.h"

#include <cmath>
#include <stdexcept>

#include "tests/support/whole_program.h"

namespace heddle::test {

io::JsonDocument printed_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProgramOutput output = heddle(arguments);
  Diagnostics problems;
  auto document = io::JsonDocument::parse(output.out, "printed", problems);
  if (output.code != 0 || !document) throw std::runtime_error(output.err + output.out);
  return *std::move(document);
}

std::vector<io::Value> items(const io::Value& object, const char* key) {
  Diagnostics problems;
  const auto list = object.member(key);
  return list ? list->items(problems) : std::vector<io::Value>{};
}

std::string text(const io::Value& object, const char* key) {
  Diagnostics problems;
  const auto member = object.member(key);
  return member ? member->as_string(problems).value_or("") : "";
}

double number(const io::Value& object, const char* key) {
  Diagnostics problems;
  const auto member = object.member(key);
  const auto value = member ? member->as_number(-1e12, 1e12, problems) : std::nullopt;
  return value ? *value : std::nan("");
}

std::map<std::string, double> step_times(const std::string& scenario) {
  std::map<std::string, double> times;
  const io::JsonDocument result = printed_json({"run", scenario});
  for (const io::Value& run : items(result.root(), "runs")) {
    times[text(run, "case")] = number(run, "step_time_s");
  }
  return times;
}

}  // namespace heddle::test

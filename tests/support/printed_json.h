#pragma once
// What the whole program prints as JSON, read back.

#include <map>
#include <string>
#include <vector>

#include "sim/io/json_document.h"

namespace heddle::test {

/// `heddle ARGUMENTS... --format json`. Throws std::runtime_error with what came instead unless it
/// ends with 0 and prints JSON.
io::JsonDocument printed_json(std::vector<std::string> arguments);

/// The items of a list in an object; none if it is not there.
std::vector<io::Value> items(const io::Value& object, const char* key);
/// "" if it is not there.
std::string text(const io::Value& object, const char* key);
/// NaN if it is not there.
double number(const io::Value& object, const char* key);

/// Step time of every case of a scenario, in seconds, by case id.
std::map<std::string, double> step_times(const std::string& scenario);

}  // namespace heddle::test

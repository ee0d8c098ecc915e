#pragma once
// One expectation against the result JSON.

#include <string>
#include <string_view>

#include "sim/io/json_value.h"
#include "tests/golden/runner/case_file.h"

namespace heddle::golden {

/// Finds the expectation's run and metric in a "heddle.result/1" document. Returns "" if the value
/// is as expected, else what is wrong. Numbers need a tolerance, other values must not have one.
std::string compare(const Expectation& expected, const io::Value& result);

}  // namespace heddle::golden

#pragma once
// Numbers that are not known better than to three significant digits.

#include <string>

namespace heddle::io {

/// The nearest number of three significant digits.
double three_digits(double value);
/// The same as text, never in exponent notation: "0.205", "12.3", "21200".
std::string three_digits_text(double value);

}  // namespace heddle::io

#pragma once
// Quantities as text. Every quantity read needs its unit and every quantity printed has one.
// Units are case-checked: "80gb" and "80" are refused with a suggestion, "GB" is 10^9 and "GiB"
// 2^30, "Gbit/s" are bits. Printing is independent of locale.

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace heddle {

/// The value, or why the text is not one and what to write instead.
template <typename T>
struct Parsed {
  std::optional<T> value;
  std::string reason;  // empty when value is set
  std::string hint;    // may be empty
};

Parsed<Bytes> parse_bytes(std::string_view text);  // B kB MB GB TB KiB MiB GiB TiB
Parsed<Bandwidth> parse_bandwidth(
    std::string_view text);  // MB/s GB/s TB/s GiB/s Mbit/s Gbit/s Tbit/s
Parsed<Duration> parse_duration(std::string_view text);   // ps ns us ms s
Parsed<FlopRate> parse_flop_rate(std::string_view text);  // GFLOP/s TFLOP/s PFLOP/s

/// About `digits` significant digits, never in exponent notation: "0.205", "12.3", "1234".
std::string format_significant(double value, int digits);

/// "85.10 GB"; three significant digits or more, always in GB when >= 0.1 GB.
std::string format_bytes(Bytes b);
/// "79.25 GiB" style, binary units.
std::string format_bytes_binary(Bytes b);
std::string format_bandwidth(Bandwidth b);  // "331.2 GB/s"
std::string format_duration(Duration d);    // "0.205 s", "3.40 ms", "12.0 us"
std::string format_flop_rate(FlopRate r);   // "989 TFLOP/s"

}  // namespace heddle

#include "hw_models/network_name.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "sim/base/units_text.h"

namespace heddle::hw_models {
namespace {

constexpr int kMostNics = 1024;

std::optional<OtherNics> parse_nics(std::string_view text) {
  const std::size_t times = text.find('x');
  if (times == std::string_view::npos) return std::nullopt;
  OtherNics nics;
  const char* end = text.data() + times;
  const auto [stop, error] = std::from_chars(text.data(), end, nics.per_machine);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (nics.per_machine < 1 || nics.per_machine > kMostNics) return std::nullopt;
  const Parsed<Bandwidth> rate = parse_bandwidth(text.substr(times + 1));
  if (!rate.value || rate.value->bytes_per_second < 1) return std::nullopt;
  nics.rate = *rate.value;
  return nics;
}

}  // namespace

std::optional<NetworkName> parse_network_name(const std::string& text, Diagnostics& out) {
  const std::size_t at = text.find('@');
  NetworkName name{text.substr(0, at), std::nullopt};
  if (at == std::string::npos) return name;
  name.nics = parse_nics(std::string_view(text).substr(at + 1));
  if (name.nics) return name;
  out.error("bad-nics", "", "", 0, fmt::format("\"{}\" has no NICs behind the @", text),
            "write a count and a rate, like \"ib-ndr-rail@8x200Gbit/s\"");
  return std::nullopt;
}

}  // namespace heddle::hw_models

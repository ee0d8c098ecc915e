#include "sim/base/date_text.h"

namespace heddle {
namespace {

constexpr std::string_view kPattern = "dddd-dd-dd";
constexpr std::size_t kToMonth = 7;

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != kToMonth && text.size() != kPattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kPattern[i] == '-' ? text[i] != '-' : !digit) return false;
  }
  return true;
}

bool is_full_date(std::string_view text) {
  return text.size() == kPattern.size() && is_date(text);
}

}  // namespace heddle

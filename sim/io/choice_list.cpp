#include "sim/io/choice_list.h"

#include <fmt/format.h>

#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

constexpr std::string_view kIdCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";

}  // namespace

std::vector<Value> choice_items(const Value& list, Diagnostics& out) {
  std::vector<Value> items = list.items(out);
  if (list.kind() != JsonKind::kArray) return {};
  if (items.empty() || items.size() > kMaxChoices) {
    list.error("out-of-range",
               fmt::format("must have between 1 and {} entries, has {}", kMaxChoices, items.size()),
               "", out);
    return {};
  }
  return items;
}

std::vector<Value> limited_items(const Value& list, std::string_view what, Diagnostics& out) {
  std::vector<Value> items = list.items(out);
  if (items.size() <= kMaxChoices) return items;
  list.error("out-of-range",
             fmt::format("must have at most {} {}, has {}", kMaxChoices, what, items.size()),
             "declare fewer, larger ones", out);
  return {};
}

bool ChoiceIds::allows(char c) {
  return kIdCharacters.find(c) != std::string_view::npos;
}

void ChoiceIds::claim(const std::string& id, const Value& at, Diagnostics& out) {
  if (id.empty()) return;  // already reported
  if (id.size() > kMaxIdLength || id.find_first_not_of(kIdCharacters) != std::string::npos) {
    at.error("bad-id", fmt::format("\"{:.80}\" cannot be an id", id),
             fmt::format("use letters, digits and . _ - +, at most {}", kMaxIdLength), out);
    return;
  }
  const auto [first, fresh] = pointer_of_.emplace(id, at.pointer());
  if (!fresh) {
    at.error("duplicate-id",
             fmt::format("id \"{}\" is given twice, first at {}", id, first->second),
             "ids name the runs: give each its own \"id\"", out);
  }
}

}  // namespace heddle::io

#include "sim/cli/case_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/nearest_name.h"
#include "sim/cli/verb_errors.h"

namespace heddle::cli {
namespace {

/// One dimension of the case list and the values asked of it; none: all.
struct Filter {
  std::string key;
  std::vector<std::string> known;
  std::vector<std::string> wanted;

  bool accepts(const std::string& id) const {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), id) != wanted.end();
  }
};

std::vector<std::string> ids_of(std::span<const run::CaseId> cases) {
  std::vector<std::string> ids;
  for (const run::CaseId& c : cases) ids.push_back(c.id);
  return ids;
}

void check_known(const std::string& option, const std::string& value,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  throw UsageError(
      fmt::format("{}: unknown \"{}\"; {}", option, value, suggest_name(value, known)));
}

/// A word without '=' is one more value of the key before it: "strategy=ddp,fsdp".
void read_filters(const std::string& only, std::span<Filter> filters) {
  Filter* filter = nullptr;
  for (std::size_t begin = 0; begin < only.size();) {
    const std::size_t end = std::min(only.find(',', begin), only.size());
    std::string word = only.substr(begin, end - begin);
    if (const std::size_t equals = word.find('='); equals != std::string::npos) {
      const std::string key = word.substr(0, equals);
      check_known("--only", key, {filters[0].key, filters[1].key});
      filter = key == filters[0].key ? &filters[0] : &filters[1];
      word.erase(0, equals + 1);
    }
    if (filter == nullptr) throw UsageError("--only: write fabric=ID or strategy=ID");
    check_known("--only " + filter->key, word, filter->known);
    filter->wanted.push_back(word);
    begin = end + 1;
  }
}

}  // namespace

std::vector<run::CaseId> select_cases(const run::Scenario& scenario,
                                      std::span<const run::CaseId> cases,
                                      const Selection& selection) {
  Filter filters[] = {{"fabric", {}, {}}, {"strategy", {}, {}}};
  for (const run::FabricChoice& f : scenario.fabrics) filters[0].known.push_back(f.id);
  for (const run::StrategyChoice& s : scenario.strategies) filters[1].known.push_back(s.id);
  read_filters(selection.only, filters);
  if (!selection.case_id.empty()) check_known("--case", selection.case_id, ids_of(cases));

  std::vector<run::CaseId> selected;
  for (const run::CaseId& c : cases) {
    if (filters[0].accepts(scenario.fabrics[c.fabric].id) &&
        filters[1].accepts(scenario.strategies[c.strategy].id) &&
        (selection.case_id.empty() || selection.case_id == c.id)) {
      selected.push_back(c);
    }
  }
  if (selected.empty()) throw UsageError("--only and --case together leave nothing to run");
  return selected;
}

const run::CaseId& require_one(std::span<const run::CaseId> cases, const std::string& what) {
  if (cases.size() == 1) return cases.front();
  throw UsageError(
      fmt::format("{} needs exactly one run, {} are selected; add --case with one of:\n  {}", what,
                  cases.size(), fmt::join(ids_of(cases), "\n  ")));
}

}  // namespace heddle::cli

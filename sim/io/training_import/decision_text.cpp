#include "sim/io/training_import/decision_text.h"

#include <fmt/format.h>

namespace heddle::io {

std::vector<std::string> decision_texts(const run::StrategyChoice& choice) {
  std::vector<std::string> texts;
  for (const run::ConfigDecision& d : choice.decisions) {
    texts.push_back(fmt::format("{} ({}): {} {} -> {}; {}", choice.from, choice.id, d.key, d.value,
                                d.became, d.why));
  }
  return texts;
}

}  // namespace heddle::io

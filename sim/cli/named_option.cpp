#include "sim/cli/named_option.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace heddle::cli {

CLI::Option* add_word_option(CLI::App& verb, const std::string& name,
                             const std::vector<std::string>& words, const std::string& help,
                             std::function<void(std::size_t)> store) {
  return verb
      .add_option_function<std::string>(
          name,
          [words, store = std::move(store)](const std::string& typed) {
            const auto found = std::find(words.begin(), words.end(), typed);
            store(static_cast<std::size_t>(found - words.begin()));
          },
          help)
      ->check(CLI::IsMember(words))
      ->type_name("NAME");
}

}  // namespace heddle::cli

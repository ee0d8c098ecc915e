#pragma once
// An option whose values are words.

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "sim/io/scenario_words.h"

namespace heddle::cli {

/// Stores what the word stands for through `store`.
template <typename T, typename Store>
void add_named_option(CLI::App& verb, const std::string& name,
                      const std::map<std::string, T>& words, const std::string& help, Store store) {
  verb.add_option_function<std::string>(
          name, [words, store](const std::string& text) { store(words.at(text)); }, help)
      ->check(CLI::IsMember(words))
      ->type_name("NAME");
}

/// The words that scenarios use.
template <typename T>
std::map<std::string, T> words_of(const io::Vocabulary<T>& known) {
  std::map<std::string, T> words;
  for (const io::Word<T>& word : known.words) words.emplace(word.name, word.value);
  return words;
}

}  // namespace heddle::cli

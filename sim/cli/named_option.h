#pragma once
// An option whose values are words.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/io/scenario_words.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle::cli {

/// Calls `store` with the index of the word that was typed.
CLI::Option* add_word_option(CLI::App& verb, const std::string& name,
                             const std::vector<std::string>& words, const std::string& help,
                             std::function<void(std::size_t)> store);

/// Stores what the word stands for through `store`.
template <typename T, typename Store>
CLI::Option* add_named_option(CLI::App& verb, const std::string& name,
                              const std::map<std::string, T>& words, const std::string& help,
                              Store store) {
  std::vector<std::string> names;
  std::vector<T> values;
  for (const auto& [word, value] : words) {
    names.push_back(word);
    values.push_back(value);
  }
  return add_word_option(verb, name, names, help,
                         [values, store](std::size_t index) { store(values[index]); });
}

/// The words that scenarios use.
template <typename T>
std::map<std::string, T> words_of(const io::Vocabulary<T>& known) {
  std::map<std::string, T> words;
  for (const io::Word<T>& word : known.words) words.emplace(word.name, word.value);
  return words;
}

}  // namespace heddle::cli

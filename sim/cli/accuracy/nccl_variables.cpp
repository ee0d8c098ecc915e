#include "sim/cli/accuracy/nccl_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "sim/base/number_text.h"
#include "sim/io/scenario_words.h"

namespace heddle::cli::accuracy {
namespace {

using collective::CommSettings;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool set_switch(const std::string& value, bool otherwise, bool& setting) {
  if (value != "0" && value != "1") return false;
  setting = value == "1" ? otherwise : !otherwise;
  return true;
}

/// One of the words that scenarios use, whatever its case.
template <typename T>
bool set_word(const std::string& value, const io::Vocabulary<T>& known, std::optional<T>& setting) {
  for (const io::Word<T>& word : known.words) {
    if (lower(word.name) != lower(value)) continue;
    setting = word.value;
    return true;
  }
  return false;
}

/// "Ring", or "allreduce:ring" since 2.24, which names the collective it is for.
bool set_algorithm(const std::string& value, CommSettings& comm) {
  const std::size_t colon = value.find(':');
  const std::string name = colon == std::string::npos ? value : value.substr(colon + 1);
  return set_word(name, io::algorithms(), comm.algorithm);
}

bool set_ctas(const std::string& value, std::optional<int>& ctas) {
  ctas = whole_int(value, 1);
  return ctas.has_value();
}

struct Variable {
  std::string_view name;
  bool (*apply)(const std::string& value, CommSettings& comm);
};

using Text = const std::string&;
constexpr std::array<Variable, 10> kVariables{{
    {"NCCL_P2P_DISABLE", [](Text v, CommSettings& c) { return set_switch(v, false, c.p2p); }},
    {"NCCL_SHM_DISABLE", [](Text v, CommSettings& c) { return set_switch(v, false, c.shm); }},
    {"NCCL_NVLS_ENABLE",
     [](Text v, CommSettings& c) {  // 2: where it can run, the default
       return v == "2" || set_switch(v, true, c.nvls);
     }},
    {"NCCL_P2P_LEVEL",
     [](Text v, CommSettings& c) { return set_word(v, io::p2p_levels(), c.p2p_level); }},
    {"NCCL_ALGO", [](Text v, CommSettings& c) { return set_algorithm(v, c); }},
    {"NCCL_PROTO",
     [](Text v, CommSettings& c) { return set_word(v, io::protocols(), c.protocol); }},
    {"NCCL_MIN_CTAS", [](Text v, CommSettings& c) { return set_ctas(v, c.min_ctas); }},
    {"NCCL_MAX_CTAS", [](Text v, CommSettings& c) { return set_ctas(v, c.max_ctas); }},
    {"NCCL_MIN_NCHANNELS", [](Text v, CommSettings& c) { return set_ctas(v, c.min_ctas); }},
    {"NCCL_MAX_NCHANNELS", [](Text v, CommSettings& c) { return set_ctas(v, c.max_ctas); }},
}};

const Variable* find_variable(const std::string& name) {
  const auto found = std::find_if(kVariables.begin(), kVariables.end(),
                                  [&name](const Variable& v) { return v.name == name; });
  return found == kVariables.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> apply_variable(const std::string& name, const std::string& value,
                                          CommSettings& comm) {
  const Variable* variable = find_variable(name);
  if (variable == nullptr) return fmt::format("what {} does is not modelled", name);
  if (variable->apply(value, comm)) return std::nullopt;
  return fmt::format("{}={} is not modelled", name, value);
}

bool forces_a_way(const Variables& env) {
  CommSettings comm;
  for (const auto& [name, value] : env) apply_variable(name, value, comm);
  return comm != CommSettings{};
}

}  // namespace heddle::cli::accuracy

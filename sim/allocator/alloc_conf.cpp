#include "sim/allocator/alloc_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>
#include <vector>

#include "sim/base/nearest_name.h"

namespace heddle::allocator {
namespace {

constexpr std::int64_t kMostDivisions = 1 << 20;  // more would leave no whole block between them

// Host memory, locks and CUDA graphs: they move no block of the device's pools.
constexpr std::array<std::string_view, 6> kWithoutEffect{
    "release_lock_on_cudamalloc",     "pinned_use_cuda_host_register",
    "pinned_num_register_threads",    "pinned_use_background_threads",
    "pinned_reserve_segment_size_mb", "graph_capture_record_stream_reuse"};

std::string without_spaces(std::string_view text) {
  std::string out(text);
  std::erase(out, ' ');
  return out;
}

/// "a:1,b:[x:1,y:2]" cut at the commas outside brackets.
std::vector<std::string_view> cut_settings(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[') ++depth;
    if (i < text.size() && text[i] == ']') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

template <typename T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_power_of_two(std::int64_t value) {
  return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

class Parser {
 public:
  Parser(const std::string& where, Diagnostics& found) : where_(where), found_(found) {}

  void setting(std::string_view text);
  const AllocatorConfig& config() const { return config_; }

 private:
  using Reader = void (Parser::*)(std::string_view);
  struct Key {
    std::string_view name;
    Reader read;
  };
  static const std::array<Key, 7> kKeys;

  void fault(std::string code, std::string message, std::string hint) {
    found_.error(std::move(code), where_, "", 0, std::move(message), std::move(hint));
  }
  void note(std::string message) {
    found_.add({Severity::kNote, "no-effect", where_, "", 0, std::move(message), ""});
  }
  void bad_value(std::string_view key, std::string_view value, std::string hint) {
    fault("bad-value", fmt::format("{} cannot be \"{}\"", key, value), std::move(hint));
  }
  void unknown(std::string_view key);
  std::optional<Bytes> mebibytes_from(std::string_view key, std::string_view value);
  std::optional<double> share(std::string_view key, std::string_view value, bool one_too);

  void backend(std::string_view value);
  void expandable_segments(std::string_view value);
  void max_split_size(std::string_view value);
  void max_non_split_rounding(std::string_view value);
  void garbage_collection(std::string_view value);
  void memory_fraction(std::string_view value);
  void roundup(std::string_view value);
  void roundup_list(std::string_view list);
  void roundup_entry(std::string_view entry);

  const std::string& where_;
  Diagnostics& found_;
  AllocatorConfig config_;
  std::ptrdiff_t roundup_last_ = -1;  // interval of the list's entry before
};

const std::array<Parser::Key, 7> Parser::kKeys{{
    {"backend", &Parser::backend},
    {"expandable_segments", &Parser::expandable_segments},
    {"max_split_size_mb", &Parser::max_split_size},
    {"max_non_split_rounding_mb", &Parser::max_non_split_rounding},
    {"garbage_collection_threshold", &Parser::garbage_collection},
    {"per_process_memory_fraction", &Parser::memory_fraction},
    {"roundup_power2_divisions", &Parser::roundup},
}};

void Parser::setting(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view key = text.substr(0, colon);
  if (colon == std::string_view::npos) {
    return fault("bad-value", fmt::format("\"{}\" is not of the form key:value", text),
                 "settings are separated by commas, as in expandable_segments:True");
  }
  const std::string_view value = text.substr(colon + 1);
  const auto known = std::find_if(kKeys.begin(), kKeys.end(),
                                  [&](const Key& candidate) { return candidate.name == key; });
  if (known != kKeys.end()) return (this->*known->read)(value);
  if (std::find(kWithoutEffect.begin(), kWithoutEffect.end(), key) != kWithoutEffect.end()) {
    return note(fmt::format("{} changes nothing in the device's pools and is ignored", key));
  }
  unknown(key);
}

void Parser::unknown(std::string_view key) {
  if (key == "roundup_bypass_threshold_mb") {
    return fault("unsupported", "roundup_bypass_threshold_mb is not modelled",
                 "PyTorch removed it after 1.13; roundup_power2_divisions takes a list instead");
  }
  std::vector<std::string> names;
  for (const Key& candidate : kKeys) names.emplace_back(candidate.name);
  for (const std::string_view name : kWithoutEffect) names.emplace_back(name);
  fault("unknown-key", fmt::format("unknown allocator setting \"{}\"", key),
        suggest_name(key, names));
}

void Parser::backend(std::string_view value) {
  if (value == "native") return note("backend:native is the default");
  if (value == "cudaMallocAsync") {
    return fault("unsupported", "backend:cudaMallocAsync is not modelled",
                 "its pools are the CUDA driver's, whose rules are not public; use native");
  }
  bad_value("backend", value, "PyTorch knows native and cudaMallocAsync");
}

void Parser::expandable_segments(std::string_view value) {
  if (value != "True" && value != "False") {
    return bad_value("expandable_segments", value, "write True or False");
  }
  config_.expandable_segments = value == "True";
}

std::optional<Bytes> Parser::mebibytes_from(std::string_view key, std::string_view value) {
  const auto mib = number<std::int64_t>(value);
  if (mib && *mib > (kLargeSegment.value >> 20) && *mib < (std::int64_t{1} << 40)) {
    return mebibytes(*mib);
  }
  bad_value(key, value, "a whole number of MiB above 20, the size of a large segment");
  return std::nullopt;
}

void Parser::max_split_size(std::string_view value) {
  if (const auto size = mebibytes_from("max_split_size_mb", value)) config_.max_split_size = *size;
}

void Parser::max_non_split_rounding(std::string_view value) {
  const auto size = mebibytes_from("max_non_split_rounding_mb", value);
  if (size) config_.max_non_split_rounding = *size;
}

std::optional<double> Parser::share(std::string_view key, std::string_view value, bool one_too) {
  const auto read = number<double>(value);
  if (read && *read > 0 && (*read < 1 || (one_too && *read == 1))) return read;
  bad_value(key, value, one_too ? "a number above 0, at most 1" : "a number between 0 and 1");
  return std::nullopt;
}

void Parser::garbage_collection(std::string_view value) {
  const auto read = share("garbage_collection_threshold", value, false);
  if (read) config_.garbage_collection_threshold = *read;
}

void Parser::memory_fraction(std::string_view value) {
  const auto read = share("per_process_memory_fraction", value, true);
  if (read) config_.memory_fraction = *read;
}

void Parser::roundup(std::string_view value) {
  if (value.size() >= 2 && value.front() == '[' && value.back() == ']') {
    return roundup_list(value.substr(1, value.size() - 2));
  }
  const auto divisions = number<std::int64_t>(value);
  if (!divisions || !is_power_of_two(*divisions) || *divisions > kMostDivisions) {
    return bad_value("roundup_power2_divisions", value,
                     "a power of two, or a list like [256:1,512:2,>:8]");
  }
  config_.roundup_divisions.fill(*divisions);
}

void Parser::roundup_list(std::string_view list) {
  roundup_last_ = -1;
  for (const std::string_view entry : cut_settings(list)) roundup_entry(entry);
}

/// "512:2": two divisions for sizes from 512 MiB up to twice that; the first entry also holds below
/// it. ">:8": for all sizes above the entry before (and for its own, as PyTorch has it).
void Parser::roundup_entry(std::string_view entry) {
  const std::size_t colon = entry.find(':');
  const std::string_view from = entry.substr(0, colon);
  const auto divisions = colon == std::string_view::npos
                             ? std::nullopt
                             : number<std::int64_t>(entry.substr(colon + 1));
  const auto mib = number<std::int64_t>(from);
  if (!divisions || *divisions > kMostDivisions ||
      (*divisions != 0 && !is_power_of_two(*divisions)) ||
      (from != ">" && !(mib && is_power_of_two(*mib)))) {
    return bad_value("roundup_power2_divisions", entry,
                     "an entry is MiB:DIVISIONS or >:DIVISIONS, both powers of two");
  }
  auto& table = config_.roundup_divisions;
  if (from == ">") {
    std::fill(table.begin() + std::max<std::ptrdiff_t>(roundup_last_, 0), table.end(), *divisions);
    return;
  }
  const std::ptrdiff_t interval = std::min<std::ptrdiff_t>(
      static_cast<std::ptrdiff_t>(std::bit_width(static_cast<std::uint64_t>(*mib))) - 1,
      kRoundupIntervals - 1);
  if (roundup_last_ < 0) std::fill(table.begin(), table.begin() + interval, *divisions);
  table[static_cast<std::size_t>(interval)] = *divisions;
  roundup_last_ = interval;
}

}  // namespace

std::optional<AllocatorConfig> parse_alloc_conf(std::string_view text, const std::string& where,
                                                Diagnostics& found) {
  const int before = found.error_count();
  Parser parser(where, found);
  const std::string compact = without_spaces(text);
  if (!compact.empty()) {
    for (const std::string_view setting : cut_settings(compact)) parser.setting(setting);
  }
  if (found.error_count() > before) return std::nullopt;
  return parser.config();
}

}  // namespace heddle::allocator

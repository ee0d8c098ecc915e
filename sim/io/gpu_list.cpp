#include "sim/io/gpu_list.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

/// Collects the numbers and refuses one that came before.
class Gpus {
 public:
  explicit Gpus(Diagnostics& out) : out_(out) {}

  void add(std::int64_t number, const Value& at) {
    const int gpu = static_cast<int>(number);
    const auto [first, fresh] = rank_of_.emplace(gpu, gpus_.size());
    if (!fresh) {
      at.error("duplicate-gpu",
               fmt::format("GPU {} is listed twice, as rank {} and rank {}", gpu, first->second,
                           gpus_.size()),
               "each rank needs a GPU of its own", out_);
    }
    gpus_.push_back({0, gpu});
  }
  std::vector<run::GpuPlace> take() { return std::move(gpus_); }

 private:
  Diagnostics& out_;
  std::vector<run::GpuPlace> gpus_;
  std::map<int, std::size_t> rank_of_;
};

std::string_view trimmed(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

std::optional<std::int64_t> gpu_number(std::string_view word) {
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  if (number < 0 || number > kMaxGpuNumber) return std::nullopt;
  return number;
}

void read_visible_devices(std::string_view text, const Value& at, Gpus& gpus, Diagnostics& out) {
  if (trimmed(text).empty()) return;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view word = trimmed(text.substr(0, comma));
    if (const auto number = gpu_number(word)) {
      gpus.add(*number, at);
    } else {
      at.error("bad-gpu", fmt::format("\"{:.40}\" is not a GPU number", word),
               "write numbers from 0 with commas between, like \"0,1,2,3\"", out);
    }
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<run::GpuPlace> read_gpu_list(const Value& value, Diagnostics& out) {
  const int errors_before = out.error_count();
  Gpus gpus(out);
  if (value.kind() == JsonKind::kString) {
    read_visible_devices(value.as_string(out).value_or(""), value, gpus, out);
  } else {
    for (const Value& item : value.items(out)) {
      if (const auto number = item.as_integer(0, kMaxGpuNumber, out)) gpus.add(*number, item);
    }
  }
  std::vector<run::GpuPlace> found = gpus.take();
  if (out.error_count() > errors_before) return {};
  if (found.empty()) {
    value.error("out-of-range", "no GPU is listed", "write at least one, like [0, 1]", out);
  }
  return found;
}

}  // namespace heddle::io

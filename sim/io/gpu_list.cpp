#include "sim/io/gpu_list.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "sim/io/gpu_words.h"
#include "sim/io/scenario_limits.h"
#include "sim/run/gpu_places.h"

namespace heddle::io {
namespace {

constexpr const char* kHint =
    "write numbers from 0 with commas between, like \"0,1,2,3\", ranges like \"0-7\", or \"all\"";

/// Collects the words and refuses what came before.
class Gpus {
 public:
  explicit Gpus(const GpuListScope& scope) : scope_(scope) {}

  void add(const GpuWord& word, const Complain& complain) {
    if (names_nodes_ && *names_nodes_ != word.node.has_value()) {
      complain("conflict", "some GPUs name their machine and some do not",
               "write all as \"node:gpu\", or all as numbers used on every machine");
      return;
    }
    names_nodes_ = word.node.has_value();
    if (word.node.value_or(0) >= scope_.nodes) {
      complain("out-of-range",
               fmt::format("machine {} is not there, there are {}", *word.node, scope_.nodes),
               "machines count from 0; raise \"nodes\"");
      return;
    }
    for (int gpu = word.first; gpu <= word.last; ++gpu) {
      if (gpus_.size() > kMaxRanks) {
        left_out_ += static_cast<std::size_t>(word.last - gpu) + 1;
        return;
      }
      if (!add_one({word.node.value_or(0), gpu}, complain)) return;
    }
  }

  GpuList take(const Complain& complain) {
    const bool spreads = !names_nodes_.value_or(true);
    const std::size_t copies = spreads ? static_cast<std::size_t>(scope_.nodes) : 1;
    const std::size_t listed = (gpus_.size() + left_out_) * copies;
    if (listed > kMaxRanks) {
      complain("out-of-range", fmt::format("a job of {} GPUs is listed", listed),
               fmt::format("use at most {}", kMaxRanks));
      return {};
    }
    if (!spreads) return {std::move(gpus_), names_nodes_.value_or(false)};
    std::vector<int> numbers;
    for (const run::GpuPlace& place : gpus_) numbers.push_back(place.gpu);
    return {run::spread_gpus(numbers, scope_.nodes, scope_.order), false};
  }

 private:
  bool add_one(const run::GpuPlace& place, const Complain& complain) {
    const auto [first, fresh] = rank_of_.emplace(place, gpus_.size());
    gpus_.push_back(place);
    if (fresh) return true;
    const std::string name =
        *names_nodes_ ? fmt::format("{}:{}", place.node, place.gpu) : fmt::format("{}", place.gpu);
    complain("duplicate-gpu",
             fmt::format("GPU {} is listed twice, as rank {} and rank {}", name, first->second,
                         gpus_.size() - 1),
             "each rank needs a GPU of its own");
    return false;
  }

  GpuListScope scope_;
  std::optional<bool> names_nodes_;  // of the words so far
  std::vector<run::GpuPlace> gpus_;
  std::size_t left_out_ = 0;  // counted only: beyond what a job can have
  std::map<run::GpuPlace, std::size_t> rank_of_;
};

void add_item(const Value& item, Gpus& gpus, Diagnostics& out) {
  const auto complain = [&](std::string code, std::string message, std::string hint) {
    item.error(std::move(code), std::move(message), std::move(hint), out);
  };
  if (item.kind() != JsonKind::kString) {
    const auto number = item.as_integer(0, kMaxGpuNumber, out);
    if (!number) return;
    const int gpu = static_cast<int>(*number);
    gpus.add({std::nullopt, gpu, gpu}, complain);
    return;
  }
  const std::string text = item.as_string(out).value_or("");
  const auto word = parse_gpu_word(text);
  if (word && word->node) {
    gpus.add(*word, complain);
  } else {
    complain("bad-gpu", fmt::format("\"{:.40}\" is not a GPU of a machine", text),
             "write a number, or machine and GPU like \"1:3\"");
  }
}

}  // namespace

GpuList parse_gpu_list(std::string_view text, const GpuListScope& scope, const Complain& complain) {
  if (trimmed(text) == "all") return {};
  if (trimmed(text).empty()) {
    complain("out-of-range", "no GPU is listed", "write at least one, like [0, 1]");
    return {};
  }
  Gpus gpus(scope);
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view typed = trimmed(text.substr(0, comma));
    if (const auto word = parse_gpu_word(typed)) {
      gpus.add(*word, complain);
    } else {
      complain("bad-gpu", fmt::format("\"{:.40}\" is not a GPU number", typed), kHint);
    }
    if (comma == std::string_view::npos) return gpus.take(complain);
    text.remove_prefix(comma + 1);
  }
}

GpuList read_gpu_list(const Value& value, const GpuListScope& scope, Diagnostics& out) {
  const int errors_before = out.error_count();
  const auto complain = [&](std::string code, std::string message, std::string hint) {
    value.error(std::move(code), std::move(message), std::move(hint), out);
  };
  GpuList found;
  if (value.kind() == JsonKind::kString) {
    found = parse_gpu_list(value.as_string(out).value_or(""), scope, complain);
  } else {
    Gpus gpus(scope);
    const std::vector<Value> items = value.items(out);
    for (const Value& item : items) add_item(item, gpus, out);
    if (items.empty() && out.error_count() == errors_before) {
      complain("out-of-range", "no GPU is listed", "write at least one, like [0, 1]");
    }
    found = gpus.take(complain);
  }
  return out.error_count() > errors_before ? GpuList{} : found;
}

}  // namespace heddle::io

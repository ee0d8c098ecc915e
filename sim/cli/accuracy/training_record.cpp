#include "sim/cli/accuracy/training_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <numeric>
#include <string_view>

#include "sim/cli/accuracy/record_fields.h"
#include "sim/io/json_text.h"

namespace heddle::cli::accuracy {
namespace {

constexpr std::int64_t kMostGpus = 1 << 20;
constexpr double kMost = 1e18;

std::int64_t count_of(const io::Value& object, std::string_view key, Diagnostics& out) {
  const auto member = needed(object, key, out);
  return member ? member->as_integer(1, kMostGpus, out).value_or(1) : 1;
}

/// Positive, or absent.
std::optional<double> number_of(const io::Value& object, std::string_view key) {
  const auto member = object.member(key);
  if (!member || member->is_null()) return std::nullopt;
  Diagnostics ignored;
  return member->as_number(std::numeric_limits<double>::min(), kMost, ignored);
}

void keep_scalars(const io::Value& object, const std::string& prefix, io::TemplateValues& values) {
  for (const std::string& key : object.keys()) {
    const io::Value member = *object.member(key);
    if (member.kind() == io::JsonKind::kObject) {
      keep_scalars(member, prefix + key + ".", values);
    } else if (member.kind() != io::JsonKind::kArray) {
      values[prefix + key] = io::json_text(member);
    }
  }
}

void derive(const io::Value& record, TrainingRecord& training) {
  const std::int64_t per_node = training.gpus / training.nodes;
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(per_node));
  std::iota(numbers.begin(), numbers.end(), 0);
  training.values["gpus_per_node"] = fmt::format("{}", per_node);
  training.values["gpu_list"] = fmt::format("[{}]", fmt::join(numbers, ", "));
  std::optional<double> accumulation = number_of(record, "grad_accum");
  const auto micro_batch = number_of(record, "micro_batch");
  const auto global_batch = number_of(record, "global_batch");
  if (!accumulation && micro_batch && global_batch) {
    const double share = *global_batch / (*micro_batch * static_cast<double>(training.gpus));
    if (share == static_cast<double>(static_cast<std::int64_t>(share))) accumulation = share;
  }
  training.values["accumulation"] =
      accumulation ? fmt::format("{}", static_cast<std::int64_t>(*accumulation)) : "null";
}

/// Throughput rather than TFLOP/s: conventions of those differ.
void read_times(const io::Value& record, const io::Value& measured, TrainingRecord& training) {
  const auto batch = number_of(record, "global_batch");
  const auto length = number_of(record, "seq_len");
  const auto printed = number_of(measured, "step_time_s");
  training.tokens_per_s = number_of(measured, "tokens_per_s_per_gpu");
  training.step_s = printed ? printed : number_of(measured, "step_time_s_derived");
  if (!batch || !length) return;
  const double tokens = *batch * *length / static_cast<double>(training.gpus);
  if (!training.step_s && training.tokens_per_s) training.step_s = tokens / *training.tokens_per_s;
  if (training.step_s) training.tokens_per_s = tokens / *training.step_s;
}

TrainingRecord read_record(const io::Value& record, Diagnostics& out) {
  TrainingRecord training;
  training.id = text_of(record, "id", out);
  training.family = text_of(record, "family", out);
  training.group = text_of(record, "group", out);
  training.completeness = text_of(record, "completeness", out);
  training.quality = text_of(record, "quality", out);
  training.gpus = count_of(record, "gpus", out);
  training.nodes = static_cast<int>(count_of(record, "nodes", out));
  training.data_parallel = is_data_parallel(record);
  keep_scalars(record, "", training.values);
  derive(record, training);
  if (const auto measured = record.member("measured")) {
    read_times(record, *measured, training);
    training.has_peak = number_of(*measured, "peak_memory_gb").has_value();
  }
  return training;
}

}  // namespace

std::optional<std::vector<TrainingRecord>> read_training_records(const io::Value& file,
                                                                 Diagnostics& out) {
  std::vector<TrainingRecord> records;
  for (const io::Value& record : file.items(out)) records.push_back(read_record(record, out));
  if (out.has_errors()) return std::nullopt;
  return records;
}

}  // namespace heddle::cli::accuracy

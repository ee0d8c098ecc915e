#include "sim/cli/accuracy/record_kinds.h"

#include <array>
#include <string_view>

#include "sim/base/nearest_name.h"
#include "sim/cli/accuracy/anchors.h"
#include "sim/cli/accuracy/memory_score.h"
#include "sim/cli/accuracy/outcomes.h"
#include "sim/cli/accuracy/plan.h"
#include "sim/cli/accuracy/report.h"
#include "sim/cli/accuracy/sweep_report.h"
#include "sim/cli/accuracy/training_report.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"

namespace heddle::cli::accuracy {
namespace {

std::string plan_path(const char* name, const Environment& env) {
  return env.home + "/scenarios/accuracy/" + name;
}

/// Records are an array of objects; the first tells the kind.
bool first_record_has(const io::Value& root, std::initializer_list<std::string_view> keys) {
  Diagnostics ignored;
  const auto records = root.items(ignored);
  if (records.empty()) return false;
  for (const std::string_view key : keys) {
    if (!records.front().member(key)) return false;
  }
  return true;
}

bool is_memory_points(const io::Value& root) {
  return root.member("points").has_value();
}

bool is_training(const io::Value& root) {
  return first_record_has(root, {"measured", "parallel"});
}

bool is_anchors(const io::Value& root) {
  return root.kind() == io::JsonKind::kObject;
}

bool is_collectives(const io::Value& root) {
  return first_record_has(root, {"collective", "points"});
}

std::string judge_anchors(const io::JsonDocument& document, const RecordFile& file,
                          const Environment& env) {
  Diagnostics problems;
  const auto anchors = read_anchors(document.root(), problems);
  const std::string plan_file = plan_path("anchors.json", env);
  const auto plan = read_plan(io::read_file(plan_file), plan_file, problems);
  if (!anchors || !plan) throw BadInput(std::move(problems));
  Outcomes outcomes(env);
  const Score result = score(*anchors, *plan, outcomes);
  return file.as_json ? score_json(result) : score_table(result);
}

std::string judge_collectives(const io::JsonDocument& document, const RecordFile& file,
                              const Environment& env) {
  Diagnostics problems;
  const auto sweeps = read_sweeps(document.root(), problems);
  const std::string rules_file = plan_path("collectives.json", env);
  const auto rules = read_place_rules(io::read_file(rules_file), rules_file, problems);
  if (!sweeps || !rules) throw BadInput(std::move(problems));
  const SweepScores scores = score_sweeps(*sweeps, *rules, env);
  return file.as_json ? sweep_score_json(scores) : sweep_score_table(scores);
}

io::JsonWriter begin_report(const char* kind) {
  io::JsonWriter json;
  json.begin_object().field("schema", "heddle.accuracy/1").field("kind", kind);
  return json;
}

MemoryScores judge_peaks(const std::optional<std::vector<MemoryPoint>>& points,
                         const char* plan_name, Diagnostics problems, const Environment& env) {
  const std::string plan_file = plan_path(plan_name, env);
  const auto plan = read_memory_plan(io::read_file(plan_file), plan_file, problems);
  if (!points || !plan) throw BadInput(std::move(problems));
  Outcomes outcomes(env);
  return score_memory(*points, *plan, outcomes);
}

std::string judge_memory_points(const io::JsonDocument& document, const RecordFile& file,
                                const Environment& env) {
  Diagnostics problems;
  const auto points = read_memory_points(document.root(), problems);
  const MemoryScores scores = judge_peaks(points, "memory_points.json", std::move(problems), env);
  if (!file.as_json) return memory_score_table(scores);
  io::JsonWriter json = begin_report("memory");
  write_memory_score(scores, json);
  return json.end_object().take();
}

const TrainingRecord& record_named(const std::vector<TrainingRecord>& records,
                                   const std::string& id) {
  std::vector<std::string> known;
  for (const TrainingRecord& record : records) {
    if (record.id == id) return record;
    known.push_back(record.id);
  }
  throw UsageError("no record \"" + id + "\"; " + suggest_name(id, known));
}

std::string training_report(const TrainingScores& times, const MemoryScores& peaks, bool as_json) {
  if (!as_json) {
    return training_score_table(times) + "\nPeaks of memory\n" + memory_score_table(peaks);
  }
  io::JsonWriter json = begin_report("training");
  write_training_score(times, json);
  json.key("memory").begin_object();
  write_memory_score(peaks, json);
  return json.end_object().end_object().take();
}

std::string judge_training(const io::JsonDocument& document, const RecordFile& file,
                           const Environment& env) {
  Diagnostics problems;
  const auto records = read_training_records(document.root(), problems);
  const auto points = read_training_peaks(document.root(), problems);
  const std::string rules_file = plan_path("training.json", env);
  const auto rules = read_training_rules(io::read_file(rules_file), rules_file, problems);
  if (!records || !rules) throw BadInput(std::move(problems));
  if (!file.record.empty()) {
    return training_story(record_named(*records, file.record), *rules, env);
  }
  const TrainingScores times = score_training(*records, *rules, env);
  if (file.summary && !file.as_json) return training_summary(times);
  const MemoryScores peaks = judge_peaks(points, "training_memory.json", std::move(problems), env);
  return training_report(times, peaks, file.as_json);
}

struct RecordKind {
  std::string_view looks_like;
  bool (*fits)(const io::Value& root);
  std::string (*judge)(const io::JsonDocument& document, const RecordFile& file,
                       const Environment& env);
};

constexpr std::array<RecordKind, 4> kKinds{
    {{"memory: an object with points", is_memory_points, judge_memory_points},
     {"training: an array of records with measured and parallel", is_training, judge_training},
     {"anchors: an object with memory, all_reduce_busbw or training", is_anchors, judge_anchors},
     {"collectives: an array of records with collective and points", is_collectives,
      judge_collectives}}};

}  // namespace

std::string judge(const RecordFile& file, const Environment& env) {
  Diagnostics problems;
  const auto document = io::JsonDocument::parse(file.text, file.name, problems);
  if (!document) throw BadInput(std::move(problems));
  std::string known;
  for (const RecordKind& kind : kKinds) {
    if (kind.fits(document->root())) {
      if ((!file.record.empty() || file.summary) && kind.judge != judge_training) {
        throw UsageError("--record and --summary are for training records; these are others");
      }
      return kind.judge(*document, file, env);
    }
    known += (known.empty() ? "" : "; ") + std::string(kind.looks_like);
  }
  document->root().error("unknown-records", "is no known kind of measured records",
                         "known kinds: " + known, problems);
  throw BadInput(std::move(problems));
}

}  // namespace heddle::cli::accuracy

#pragma once
// A small result written by hand: two equal ranks run one kernel and one collective.

#include <string>

#include "sim/run/case_result.h"

namespace heddle::io {

inline schedule::Schedule small_schedule() {
  schedule::Schedule s;
  s.labels = {{schedule::Phase::kForward, 3, "q_proj"}, {schedule::Phase::kReduction, -1, "a\"b"}};
  schedule::Op gemm{schedule::OpKind::kCompute, schedule::StreamKind::kCompute, 1, 0, {}};
  gemm.label = schedule::LabelId{0};
  schedule::Op reduce{schedule::OpKind::kCollective, schedule::StreamKind::kReduce, 1, 0, {}};
  reduce.label = schedule::LabelId{1};
  s.programs = {{{gemm, reduce}}};
  s.program_of_rank = {0, 0};
  s.communicators = {schedule::world_communicator(2)};
  return s;
}

inline engine::MemorySample sample(std::int64_t ps, std::int64_t parameters, std::int64_t rest) {
  engine::MemorySample s;
  s.time = {ps};
  s.by_category[0] = {parameters};
  s.by_category[7] = {rest};  // temporary
  return s;
}

inline run::CaseResult small_result() {
  run::CaseResult r;
  r.case_id = "fast/ddp";
  r.fabric_id = "fast";
  r.fabric_name = "machine, small";  // a comma, for CSV
  r.strategy = "ddp";
  r.dialect = "pytorch-ddp";
  r.gpu = "small";
  r.ranks = 2;
  r.memory.peak_allocated = {3'000'000'000};
  r.memory.peak_active = {3'000'000'000};
  r.memory.peak_reserved = {3'000'000'000};
  r.memory.peak_at = {schedule::Phase::kForward, 3, "q_proj"};
  r.memory.at_peak[0] = {1'000'000'000};
  r.memory.at_peak[7] = {2'000'000'000};
  r.memory.context = {500};
  r.memory.nccl = {70};
  r.memory.headroom = {3};
  r.memory.capacity = {9'007'199'254'740'993};  // 2^53 + 1: not a double
  r.memory.verdict = run::Verdict::kFits;
  r.step_time = milliseconds(250);
  r.tokens_per_second = 8192;
  r.mfu = 0.1;
  r.bound_by = "gpu0 -> \"hub\"";
  r.traffic = {{schedule::CollectiveKind::kAllReduce,
                schedule::CommunicatorId{std::size_t{0}},
                "ring",
                1,
                {64},
                {64},
                microseconds(5),
                {},
                {},
                {}}};
  r.schedule = std::make_shared<schedule::Schedule>(small_schedule());
  engine::RankResult rank;
  rank.multiplicity = 2;
  rank.intervals = {{0, schedule::StreamKind::kCompute, {1'500'000}, {2'500'001}},
                    {1, schedule::StreamKind::kReduce, {2'500'001}, {2'500'002}}};
  rank.memory = {sample(0, 1'000'000'000, 0), sample(1'000'000, 1'000'000'000, 2'000'000'000)};
  r.run.ranks = {rank};
  return r;
}

/// With prices and two draws.
inline run::CaseResult varied_result() {
  run::CaseResult r = small_result();
  r.tokens_per_second = 400;  // 100 in a step of 0.25 s
  run::Variation v;
  v.steps = {0.2, 0.3};
  v.step = {0.2, 0.25, 0.333333};
  v.spread = 0.123456;
  v.causes = {{"network", 0.04, "a file", 0.9}, {"model form", 0.03, "a scenario", 0.2}};
  v.together = -0.1;
  v.fastest = 1;
  r.variation = v;
  run::CostReport cost;
  cost.currency = "EUR";
  cost.price = 3;
  cost.step.all = {0.5, 6, std::nullopt};
  cost.step.waiting = {0.1, 1.2, std::nullopt};
  cost.million = cost.step;
  cost.run = run::CostOf{{5, 60, 7.5}, {1, 12, 1.5}};
  r.cost = cost;
  return r;
}

}  // namespace heddle::io

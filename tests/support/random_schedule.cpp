#include "tests/support/random_schedule.h"

#include <algorithm>
#include <string>

#include "sim/base/int128.h"
#include "sim/base/rng.h"

namespace heddle::test {
namespace {

using schedule::OpKind;
using schedule::StreamKind;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  RandomCase make() {
    add_tables();
    for (int step = 0; step < steps_; ++step) add_step(step);
    case_.schedule.steps = steps_;
    case_.schedule.event_count = next_event_;
    refresh_costs(case_);
    return std::move(case_);
  }

 private:
  struct ProgramState {
    std::vector<std::uint32_t> events;   // recorded so far
    std::vector<std::uint32_t> buffers;  // allocated now
  };

  std::int64_t pick(std::int64_t low, std::int64_t high) { return rng_.uniform_int(low, high); }
  std::size_t pick_index(std::size_t size) {
    return static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(size) - 1));
  }
  StreamKind pick_stream() { return static_cast<StreamKind>(pick(0, schedule::kStreamCount - 1)); }

  void add_tables();
  void add_communicator(std::size_t number);
  void add_step(int step);
  void add_collective();
  void add_local_action(std::size_t program);
  void add_mark(schedule::Mark::Kind kind, int step);
  void synchronize(std::size_t program);
  void free_all(std::size_t program);
  std::uint32_t new_buffer();
  void push(std::size_t program, OpKind kind, StreamKind stream, std::uint32_t arg) {
    const auto dispatches = static_cast<std::uint16_t>(pick(0, 3));
    case_.schedule.programs[program].ops.push_back({kind, stream, dispatches, arg, label_});
  }

  Rng rng_;
  int steps_ = 2;
  RandomCase case_;
  std::vector<ProgramState> state_;
  std::vector<std::vector<std::size_t>> programs_of_communicator_;
  std::uint32_t next_event_ = 0;
  schedule::LabelId label_{std::size_t{0}};
};

void Generator::add_tables() {
  schedule::Schedule& s = case_.schedule;
  s.labels.push_back({schedule::Phase::kForward, 0, "random"});
  s.programs.resize(static_cast<std::size_t>(pick(1, 3)));
  state_.resize(s.programs.size());
  for (std::size_t p = 0; p < s.programs.size(); ++p) {
    const std::int64_t ranks = pick(1, 3);
    for (std::int64_t r = 0; r < ranks; ++r) s.program_of_rank.push_back(static_cast<int>(p));
  }
  for (std::int64_t l = pick(1, 6); l > 0; --l) {
    case_.costs.links.push_back({pick(1, 400) * 1'000'000'000});
  }
  s.kernels.resize(4);
  for (int k = 0; k < 4; ++k) case_.costs.kernels.push_back(nanoseconds(pick(0, 50'000)));
  case_.costs.launch_latency = nanoseconds(pick(0, 4'000));
  case_.costs.host = {nanoseconds(pick(0, 8'000)), nanoseconds(pick(0, 8'000))};
  const std::int64_t communicators = pick(1, 3);
  for (std::int64_t c = 0; c < communicators; ++c) add_communicator(static_cast<std::size_t>(c));
}

/// A communicator of whole programs, with three collectives that use the same links.
void Generator::add_communicator(std::size_t number) {
  schedule::Schedule& s = case_.schedule;
  std::vector<std::size_t> programs;
  for (std::size_t p = 0; p < s.programs.size(); ++p) {
    if (p == number % s.programs.size() || rng_.chance(0.7)) programs.push_back(p);
  }
  schedule::Communicator communicator{"comm" + std::to_string(number), {{}}};
  for (int r = 0; r < s.rank_count(); ++r) {
    const auto p = static_cast<std::size_t>(s.program_of_rank[static_cast<std::size_t>(r)]);
    if (std::find(programs.begin(), programs.end(), p) != programs.end()) {
      communicator.groups.front().push_back(r);
    }
  }
  std::vector<collective::LinkUse> uses;
  for (std::size_t l = 0; l < case_.costs.links.size(); ++l) {
    if (!rng_.chance(0.6)) continue;
    std::int64_t ppb = pick(1, 8) * 250'000'000;
    if (rng_.chance(0.5)) ppb += pick(0, 999'999);
    uses.push_back({fabric::LinkId{l}, ppb, ppb});
  }
  for (int i = 0; i < 3; ++i) {
    const Bytes bytes{rng_.chance(0.1) ? 0 : pick(1, 4'000'000)};
    s.collectives.push_back({schedule::CollectiveKind::kAllReduce, schedule::CommunicatorId{number},
                             bytes, schedule::DType::kBFloat16});
    collective::CollectiveCost cost;
    cost.payload = bytes;
    cost.latency = nanoseconds(rng_.chance(0.5) ? pick(0, 20'000) : 0);
    cost.rate_cap = {pick(1, 400) * 1'000'000'000};
    case_.costs.collectives.push_back(cost);
    case_.uses.push_back(uses);
  }
  s.communicators.push_back(communicator);
  programs_of_communicator_.push_back(programs);
}

void Generator::add_collective() {
  const auto id = static_cast<std::uint32_t>(pick_index(case_.schedule.collectives.size()));
  const std::size_t communicator = case_.schedule.collectives[id].communicator.index();
  for (const std::size_t p : programs_of_communicator_[communicator]) {
    push(p, OpKind::kCollective, pick_stream(), id);
  }
}

std::uint32_t Generator::new_buffer() {
  const auto category =
      static_cast<schedule::MemoryCategory>(pick(0, schedule::kCategoryCount - 1));
  case_.schedule.buffers.push_back(
      {Bytes{pick(1, 1000) * 512}, category, StreamKind::kCompute, schedule::LabelId{0}});
  return static_cast<std::uint32_t>(case_.schedule.buffers.size() - 1);
}

void Generator::add_local_action(std::size_t program) {
  ProgramState& state = state_[program];
  const std::int64_t action = pick(0, 9);
  if (action <= 3) {
    const StreamKind stream = pick_stream();  // argument order is the compiler's choice
    push(program, OpKind::kCompute, stream, static_cast<std::uint32_t>(pick(0, 3)));
  } else if (action <= 5) {
    state.events.push_back(next_event_);
    push(program, OpKind::kRecord, pick_stream(), next_event_++);
  } else if (action == 6 && !state.events.empty()) {
    const StreamKind stream = pick_stream();
    push(program, OpKind::kWait, stream, state.events[pick_index(state.events.size())]);
  } else if (action == 7) {
    state.buffers.push_back(new_buffer());
    push(program, OpKind::kAlloc, StreamKind::kCompute, state.buffers.back());
  } else if (action == 8 && !state.buffers.empty()) {
    push(program, OpKind::kFree, StreamKind::kCompute, state.buffers.back());
    state.buffers.pop_back();
  } else if (action == 9 && !state.events.empty() && rng_.chance(0.3)) {
    push(program, OpKind::kHostWait, StreamKind::kCompute, state.events.back());
  } else {
    push(program, OpKind::kHostWork, StreamKind::kCompute, Id<void>::kNone);
  }
}

void Generator::add_mark(schedule::Mark::Kind kind, int step) {
  case_.schedule.marks.push_back({kind, step});
  for (std::size_t p = 0; p < state_.size(); ++p) {
    push(p, OpKind::kMark, StreamKind::kCompute,
         static_cast<std::uint32_t>(case_.schedule.marks.size() - 1));
  }
}

/// The host waits for everything its streams hold.
void Generator::synchronize(std::size_t program) {
  for (int s = 0; s < schedule::kStreamCount; ++s) {
    push(program, OpKind::kRecord, static_cast<StreamKind>(s), next_event_);
    push(program, OpKind::kHostWait, StreamKind::kCompute, next_event_++);
  }
}

void Generator::free_all(std::size_t program) {
  for (const std::uint32_t buffer : state_[program].buffers) {
    push(program, OpKind::kFree, StreamKind::kCompute, buffer);
  }
  state_[program].buffers.clear();
}

void Generator::add_step(int step) {
  add_mark(schedule::Mark::Kind::kStepBegin, step);
  for (std::int64_t action = pick(5, 40); action > 0; --action) {
    if (rng_.chance(0.3)) {
      add_collective();
    } else {
      add_local_action(pick_index(state_.size()));
    }
  }
  add_mark(schedule::Mark::Kind::kAfterOptimizer, step);
  for (std::size_t p = 0; p < state_.size(); ++p) {
    free_all(p);
    if (rng_.chance(0.5)) synchronize(p);
  }
  add_mark(schedule::Mark::Kind::kStepEnd, step);
}

}  // namespace

RandomCase random_case(std::uint64_t seed) {
  return Generator(seed).make();
}

void add_slow_gpus(RandomCase& c, std::uint64_t seed) {
  Rng rng(seed + 1);
  c.costs.speeds.clear();
  for (int rank = 0; rank < c.schedule.rank_count(); ++rank) {
    const std::int64_t percent = rng.chance(0.4) ? 50 + 10 * rng.uniform_int(0, 4) : 100;
    c.costs.speeds.push_back(percent * 10'000'000);
  }
}

void add_background(RandomCase& c, std::uint64_t seed) {
  Rng rng(seed + 2);
  for (std::int64_t f = rng.uniform_int(1, 3); f > 0; --f) {
    engine::BackgroundFlow flow;
    flow.name = "flow" + std::to_string(f);
    flow.cap = {rng.uniform_int(1, 400) * 1'000'000'000};
    flow.start = {rng.uniform_int(0, 200'000'000)};
    if (rng.chance(0.6)) {
      flow.payload = {rng.uniform_int(1, 4'000'000)};
      flow.latency = nanoseconds(rng.uniform_int(1'000, 20'000));
      if (rng.chance(0.7)) flow.period = microseconds(rng.uniform_int(10, 100));
    }
    for (std::size_t l = 0; l < c.costs.links.size(); ++l) {
      if (!rng.chance(0.5)) continue;
      const std::int64_t ppb = rng.uniform_int(1, 8) * 250'000'000;
      flow.uses.push_back({fabric::LinkId{l}, ppb, ppb});
    }
    c.costs.background.push_back(flow);
  }
}

void refresh_costs(RandomCase& c) {
  for (std::size_t i = 0; i < c.costs.collectives.size(); ++i) {
    collective::CollectiveCost& cost = c.costs.collectives[i];
    cost.uses = c.uses[i];
    cost.rate = cost.rate_cap;
    for (const collective::LinkUse& use : cost.uses) {
      const Int128 capacity = c.costs.links[use.link.index()].bytes_per_second;
      const Int128 alone = capacity * kPpb / use.occupancy_ppb;
      cost.rate = std::min(cost.rate, Bandwidth{static_cast<std::int64_t>(alone)});
    }
    cost.total = cost.latency + cost.payload / cost.rate;
  }
}

}  // namespace heddle::test

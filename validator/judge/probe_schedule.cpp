#include "validator/judge/probe_schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "sim/base/check.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::judge {
namespace {

using schedule::Collective;
using schedule::Kernel;
using schedule::KernelKind;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

constexpr int kShapes = 10;
constexpr int kSizes = 8;
constexpr int kCollectiveSizes = 6;
constexpr int kRepeats = 4;
constexpr int kTurns = 12;

std::int64_t stretched(std::int64_t size, int numerator) {
  return std::max<std::int64_t>(1, (size * numerator + 2) / 4 + 1);
}

/// From a little below the least to a little above the most; never one of them.
std::vector<std::int64_t> between(std::int64_t least, std::int64_t most, int count) {
  const double low = 0.7 * static_cast<double>(std::max<std::int64_t>(least, 64));
  const double high = 1.3 * static_cast<double>(std::max(most, least));
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    const auto size = static_cast<std::int64_t>(low * std::pow(std::max(1.0, high / low), share));
    sizes.push_back(size / 8 * 8 + 8);  // whole elements of any type
  }
  return sizes;
}

/// At most `most` of them, spread evenly.
template <typename T>
std::vector<T> some_of(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> out;
  for (std::size_t i = 0; i < most; ++i) out.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return out;
}

class ProbeBuilder {
 public:
  explicit ProbeBuilder(const schedule::Schedule& judged)
      : judged_(judged), b_(judged.rank_count()) {}

  Probe build() {
    collect();
    b_.mark(schedule::Mark::Kind::kStepBegin, 0);
    warm_up();
    add_kernels();
    add_collectives();
    add_turns();
    add_overlap();
    b_.mark(schedule::Mark::Kind::kStepEnd, 0);
    probe_.schedule = b_.finish(1);
    // Groups are the judged ones; the builder only knows that of all ranks.
    probe_.schedule.communicators = judged_.communicators;
    return std::move(probe_);
  }

 private:
  void collect();
  void warm_up();
  void add_kernels();
  void add_collectives();
  void add_turns();
  void add_overlap();
  void compute(const Kernel& kernel, std::vector<std::uint32_t>* into) {
    if (into != nullptr) into->push_back(next_op_);
    b_.compute(kernel, 1, "probe");
    ++next_op_;
  }
  void collective(const Collective& c, std::vector<std::uint32_t>* into) {
    if (into != nullptr) into->push_back(next_op_);
    b_.collective(c, 1, "probe", StreamKind::kReduce);
    ++next_op_;
  }
  /// The host waits for everything on `stream`.
  void settle(StreamKind stream) {
    b_.host_wait(b_.record(stream));
    next_op_ += 2;
  }

  const schedule::Schedule& judged_;
  ScheduleBuilder b_;
  Probe probe_;
  std::uint32_t next_op_ = 1;  // behind the mark
  std::vector<Kernel> kernels_;
  std::vector<Collective> collectives_;
};

/// Both from what the judged ranks do, with other numbers.
void ProbeBuilder::collect() {
  std::map<double, Kernel> products;  // by FLOPs
  std::int64_t least = INT64_MAX;
  std::int64_t most = 0;
  std::map<std::tuple<int, std::uint32_t, int>, std::pair<std::int64_t, std::int64_t>> groups;
  for (const schedule::Op& op : judged_.programs.front().ops) {
    if (op.kind == schedule::OpKind::kCompute) {
      const Kernel& k = judged_.kernels[op.arg];
      if (k.kind != KernelKind::kMemory) {
        products.emplace(k.flops.value, k);
      } else if (k.bytes.value > 0) {
        least = std::min(least, k.bytes.value);
        most = std::max(most, k.bytes.value);
      }
    }
    if (op.kind != schedule::OpKind::kCollective) continue;
    const Collective& c = judged_.collectives[op.arg];
    const auto key =
        std::tuple(static_cast<int>(c.kind), c.communicator.value, static_cast<int>(c.dtype));
    const auto [range, first] = groups.try_emplace(key, c.bytes.value, c.bytes.value);
    range->second.first = std::min(range->second.first, c.bytes.value);
    range->second.second = std::max(range->second.second, c.bytes.value);
  }
  std::vector<Kernel> shapes;
  for (const auto& [flops, kernel] : products) shapes.push_back(kernel);
  int turn = 0;
  for (Kernel k : some_of(shapes, kShapes)) {
    const double before =
        static_cast<double>(k.m) * static_cast<double>(k.n) * static_cast<double>(k.k);
    k.m = stretched(k.m, 3 + turn % 3);
    k.n = stretched(k.n, 3 + (turn + 1) % 3);
    k.k = stretched(k.k, 3 + (turn + 2) % 3);
    ++turn;
    const double now =
        static_cast<double>(k.m) * static_cast<double>(k.n) * static_cast<double>(k.k);
    k.flops = k.flops * (now / before);
    kernels_.push_back(k);
  }
  if (most > 0) {
    for (const std::int64_t bytes : between(least, most, kSizes)) {
      Kernel k;
      k.bytes = {bytes};
      kernels_.push_back(k);
    }
  }
  for (const auto& [key, range] : groups) {
    for (const std::int64_t bytes : between(range.first, range.second, kCollectiveSizes)) {
      collectives_.push_back({static_cast<schedule::CollectiveKind>(std::get<0>(key)),
                              schedule::CommunicatorId{std::get<1>(key)},
                              {bytes},
                              static_cast<schedule::DType>(std::get<2>(key))});
    }
  }
}

void ProbeBuilder::warm_up() {
  for (const Kernel& kernel : kernels_) compute(kernel, nullptr);
  for (const Collective& c : collectives_) collective(c, nullptr);
  settle(StreamKind::kCompute);
  settle(StreamKind::kReduce);
}

void ProbeBuilder::add_kernels() {
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (const Kernel& kernel : kernels_) compute(kernel, &probe_.kernels);
  }
  settle(StreamKind::kCompute);
}

void ProbeBuilder::add_collectives() {
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (const Collective& c : collectives_) collective(c, &probe_.collectives);
  }
  settle(StreamKind::kReduce);
}

void ProbeBuilder::add_turns() {
  Kernel small;
  small.bytes = {4096};
  for (int turn = 0; turn < kTurns; ++turn) {
    compute(small, &probe_.turns);
    settle(StreamKind::kCompute);
  }
}

void ProbeBuilder::add_overlap() {
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (const Kernel& kernel : kernels_) compute(kernel, &probe_.beside_kernels);
    for (const Collective& c : collectives_) collective(c, &probe_.beside_collectives);
  }
  settle(StreamKind::kCompute);
  settle(StreamKind::kReduce);
}

}  // namespace

Probe probe_schedule(const schedule::Schedule& judged) {
  HEDDLE_CHECK(judged.programs.size() == 1, "a probe of ranks that differ");
  return ProbeBuilder(judged).build();
}

}  // namespace heddle::judge

#include "tests/support/event_grid.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace heddle::test {
namespace {

using collective::GridDimension;
using schedule::CollectiveKind;

constexpr double kNever = -1;

struct Send {
  std::size_t dimension;
  double time;  // ps on a link of factor one
};

struct Event {
  double time;
  std::size_t rank;
  std::size_t send;
  bool arrives;  // else: has left
  friend bool operator<(const Event& a, const Event& b) { return a.time > b.time; }
};

class EventGrid {
 public:
  EventGrid(const std::vector<GridDimension>& dimensions, const std::vector<double>& factors)
      : dimensions_(dimensions), factors_(factors) {}

  std::vector<double> run(CollectiveKind kind, Bytes payload, const std::vector<double>& arrivals) {
    list_sends(kind, payload);
    const std::size_t ranks = arrivals.size();
    sent_.assign(ranks, std::vector<double>(sends_.size(), kNever));
    received_ = sent_;
    for (std::size_t r = 0; r < ranks; ++r) begin(r, 0, arrivals[r]);
    ends_ = arrivals;
    while (!queue_.empty()) {
      const Event event = queue_.top();
      queue_.pop();
      handle(event);
    }
    return ends_;
  }

 private:
  void list_sends(CollectiveKind kind, Bytes payload) {
    std::int64_t members = 1;
    std::vector<std::vector<Send>> once;  // by dimension
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      members *= static_cast<std::int64_t>(dimensions_[d].ranks);
      const double bytes =
          std::ceil(static_cast<double>(payload.value) / static_cast<double>(members));
      const auto link = static_cast<double>(dimensions_[d].link.bytes_per_second);
      once.emplace_back(dimensions_[d].ranks - 1, Send{d, std::ceil(bytes * 1e12 / link)});
    }
    if (kind != CollectiveKind::kAllGather) {
      for (const auto& sends : once) sends_.insert(sends_.end(), sends.begin(), sends.end());
    }
    if (kind == CollectiveKind::kReduceScatter) return;
    for (auto it = once.rbegin(); it != once.rend(); ++it) {
      sends_.insert(sends_.end(), it->begin(), it->end());
    }
  }

  std::size_t right_of(std::size_t rank, std::size_t dimension) const {
    std::size_t stride = 1;
    for (std::size_t d = 0; d < dimension; ++d) stride *= dimensions_[d].ranks;
    const std::size_t place = rank / stride % dimensions_[dimension].ranks;
    const std::size_t next = (place + 1) % dimensions_[dimension].ranks;
    return rank + next * stride - place * stride;
  }

  void begin(std::size_t rank, std::size_t send, double now) {
    if (send == sends_.size()) return;
    const double factor = factors_.empty() ? 1 : factors_[rank];
    queue_.push({now + std::ceil(sends_[send].time * factor), rank, send, false});
  }

  void handle(const Event& event) {
    const Send& send = sends_[event.send];
    (event.arrives ? received_ : sent_)[event.rank][event.send] = event.time;
    ends_[event.rank] = std::max(ends_[event.rank], event.time);
    if (!event.arrives) {
      const auto latency = static_cast<double>(dimensions_[send.dimension].latency.ps);
      queue_.push({event.time + latency, right_of(event.rank, send.dimension), event.send, true});
    }
    const bool both = sent_[event.rank][event.send] >= 0 && received_[event.rank][event.send] >= 0;
    if (both) begin(event.rank, event.send + 1, event.time);
  }

  const std::vector<GridDimension>& dimensions_;
  const std::vector<double>& factors_;
  std::vector<Send> sends_;  // of every rank, in order
  std::vector<std::vector<double>> sent_;
  std::vector<std::vector<double>> received_;
  std::vector<double> ends_;
  std::priority_queue<Event> queue_;
};

}  // namespace

std::vector<double> event_by_event(const std::vector<GridDimension>& dimensions,
                                   const std::vector<double>& link_factors, CollectiveKind kind,
                                   Bytes payload, const std::vector<double>& arrivals) {
  return EventGrid(dimensions, link_factors).run(kind, payload, arrivals);
}

}  // namespace heddle::test

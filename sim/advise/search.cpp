#include "sim/advise/search.h"

#include <algorithm>
#include <utility>

namespace heddle::advise {
namespace {

struct Ranked {
  Candidate candidate;
  Bound bound;
  double value = 0;  // no result of the objective is lower
};

double money(const run::CostChoice& cost, Duration step, int gpus) {
  return step.seconds() / 3600 * cost.price * gpus;
}

class Search {
 public:
  Search(const Space& space, const Bounds& bounds, const CaseRunner& runner,
         const SearchRequest& request)
      : space_(space), bounds_(bounds), runner_(runner), request_(request) {}

  Advice run() {
    rank();
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      if (is_full() && ranked_[i].value >= advice_.best.back().value) {
        prune_from(i);
        break;
      }
      simulate(ranked_[i]);
    }
    return std::move(advice_);
  }

 private:
  bool is_full() const { return advice_.best.size() == request_.top; }

  double bound_value(const Bound& bound) const {
    switch (request_.objective) {
      case Objective::kTime:
        return bound.step().seconds();
      case Objective::kCost:  // every candidate has as many GPUs
        return money(*space_.base.cost, bound.step(), space_.gpus);
      case Objective::kMemory:
        return static_cast<double>(bound.needed.value);
    }
    return 0;
  }

  double value_of(const run::CaseResult& result) const {
    switch (request_.objective) {
      case Objective::kTime:
        return result.step_time.seconds();
      case Objective::kCost:
        return result.cost ? result.cost->step.all.money : 0;
      case Objective::kMemory:
        return static_cast<double>(result.memory.needed().value);
    }
    return 0;
  }

  void rank() {
    for (std::size_t s = 0; s < space_.strategies.size(); ++s) {
      if (!bounds_.refusal(s).empty()) {
        advice_.refused.push_back({space_.strategies[s].id, bounds_.refusal(s)});
        advice_.tally.refused += space_.places.size() * space_.batches.size();
        continue;
      }
      rank_strategy(s);
    }
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [](const Ranked& a, const Ranked& b) { return a.value < b.value; });
  }

  void rank_strategy(std::size_t strategy) {
    for (std::size_t p = 0; p < space_.places.size(); ++p) {
      for (std::size_t b = 0; b < space_.batches.size(); ++b) {
        const Candidate candidate{p, strategy, b};
        const Bound bound = bounds_.of(candidate);
        if (request_.must_fit && !bounds_.may_fit(candidate, bound)) {
          ++advice_.tally.bound_memory;
        } else {
          ranked_.push_back({candidate, bound, bound_value(bound)});
        }
      }
    }
  }

  void prune_from(std::size_t first) {
    for (std::size_t i = first; i < ranked_.size(); ++i) {
      const Bound& bound = ranked_[i].bound;
      if (request_.objective == Objective::kMemory) {
        ++advice_.tally.bound_value;
      } else if (bound.kernels == bound.step()) {
        ++advice_.tally.bound_kernels;
      } else if (bound.host == bound.step()) {
        ++advice_.tally.bound_host;
      } else {
        ++advice_.tally.bound_wires;
      }
    }
  }

  void simulate(const Ranked& ranked) {
    std::string refusal;
    auto result = runner_.run(ranked.candidate, refusal);
    if (!result) {
      ++advice_.tally.refused;
      return;
    }
    ++advice_.tally.simulated;
    if (request_.must_fit && !result->memory.fits()) {
      ++advice_.tally.does_not_fit;
      return;
    }
    result->schedule.reset();
    result->run = {};
    const double value = value_of(*result);
    keep({ranked.candidate, ranked.bound, std::move(*result), value});
  }

  /// Equal ones stay in the order in which they come, which is that of bounds, then of the space.
  void keep(Finalist finalist) {
    auto& best = advice_.best;
    const auto same = std::find_if(best.begin(), best.end(), [&](const Finalist& other) {
      return other.candidate.strategy == finalist.candidate.strategy &&
             other.candidate.batch == finalist.candidate.batch;
    });
    if (same != best.end()) {  // elsewhere on the machine
      if (same->value <= finalist.value) return;
      best.erase(same);
    }
    const auto at =
        std::upper_bound(best.begin(), best.end(), finalist.value,
                         [](double value, const Finalist& other) { return value < other.value; });
    best.insert(at, std::move(finalist));
    if (best.size() > request_.top) best.pop_back();
  }

  const Space& space_;
  const Bounds& bounds_;
  const CaseRunner& runner_;
  const SearchRequest& request_;
  std::vector<Ranked> ranked_;
  Advice advice_;
};

}  // namespace

Advice search(const Space& space, const Bounds& bounds, const CaseRunner& runner,
              const SearchRequest& request) {
  return Search(space, bounds, runner, request).run();
}

double regret(double first, double second, double error) {
  return std::max(0.0, first * (1 + error) / (second * (1 - error)) - 1);
}

}  // namespace heddle::advise

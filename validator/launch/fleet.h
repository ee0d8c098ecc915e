#pragma once
// All ranks of a measurement under one parent that never blocks on them: it polls, knows within a
// poll when a rank is gone, aborts at a deadline, kills by process id at the next, and keeps every
// repeat that all ranks finished. A fleet that failed is spent.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/launch/backend.h"
#include "validator/worker/messages.h"

namespace heddle::launch {

struct Deadlines {
  std::int64_t start_ns = 60'000'000'000;  // until all ranks have said hello
  std::int64_t least_ns = 30'000'000'000;  // of a measurement
  double of_predicted = 50;                // of a measurement, times what is predicted
  std::int64_t abort_ns = 5'000'000'000;   // until ranks that were told to stop have
  std::int64_t quit_ns = 5'000'000'000;    // until ranks that were told to go are gone

  std::int64_t measurement_ns(double predicted_seconds) const;
};

enum class FleetProblem {
  kUnsupported,  // cannot start here: exit 4
  kLost,         // a rank died, hung, failed or sent what is no message: exit 5
  kWrongData,    // exit 1
  kInterrupted,  // the user's Ctrl-C: exit 130
};

struct FleetFailure {
  FleetProblem problem = FleetProblem::kLost;
  int rank = -1;
  std::string text;                 // one line, rank and op in it
  std::vector<std::string> flight;  // one line a rank: what it was doing
  bool is_echo = false;             // the rank was told to stop: another is the cause
};

struct FleetRun {
  std::vector<std::vector<execute::RankRun>> repeats;  // by repeat and rank, whole ones
  std::optional<FleetFailure> failure;
};

struct FleetPlan {
  const BackendEntry* backend = nullptr;
  int ranks = 1;
  std::string workers;  // folder of the worker programs
  std::string folder;   // for socket, region and log; must be there
  Deadlines deadlines;
  const std::atomic<int>* interrupts = nullptr;  // how often the user asked to stop
};

class Fleet {
 public:
  /// `failure` says why there is none.
  static std::unique_ptr<Fleet> start(const FleetPlan& plan, FleetFailure& failure);
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;
  /// Ranks are told to go, then made to.
  ~Fleet();

  /// By rank.
  const std::vector<worker::Hello>& hellos() const { return hellos_; }
  /// Lines in which ranks differ, "" if in none: "rank 1: transport is \"...\", not \"...\"".
  std::string differences() const;
  /// `schedule` is what the request's file holds. `deadline_ns` from now; `done` hears of every
  /// whole repeat as it comes.
  FleetRun run(const schedule::Schedule& schedule, worker::Request request,
               std::int64_t deadline_ns,
               const std::function<void(const std::vector<execute::RankRun>&)>& done = {});

 private:
  struct Rank;
  struct Waiting;
  explicit Fleet(const FleetPlan& plan);

  bool gather(FleetFailure& failure);
  void take_hello(std::size_t connection);
  void poll_once(int timeout_ms);
  void read_from(Rank& rank);
  void handle(Rank& rank, const worker::Frame& frame);
  void answer_offers();
  std::optional<FleetFailure> first_trouble(const schedule::Schedule& schedule);
  std::string how_it_ended(const Rank& rank);
  void collect(FleetRun& run, std::size_t& told,
               const std::function<void(const std::vector<execute::RankRun>&)>& done);
  void stop_all();
  void kill_all();
  bool all_ended();
  bool interrupted() const;
  std::vector<std::string> flight(const schedule::Schedule& schedule) const;

  FleetPlan plan_;
  std::vector<Process> processes_;
  std::unique_ptr<Waiting> waiting_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<worker::Hello> hellos_;
  int interrupts_before_ = 0;
  bool spent_ = false;
};

}  // namespace heddle::launch

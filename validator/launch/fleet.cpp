#include "validator/launch/fleet.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "sim/base/check.h"
#include "validator/device/exchange.h"
#include "validator/device/region.h"
#include "validator/launch/flight.h"
#include "validator/worker/socket.h"

namespace heddle::launch {

using execute::RankRun;
using worker::Frame;
using worker::MessageType;

namespace {

constexpr int kPollMs = 20;
constexpr std::int64_t kEchoNs = 1'000'000'000;
constexpr std::int64_t kCleanUpNs = 1'000'000'000;

constexpr std::size_t kLogLines = 8;

/// What the ranks printed last, for a start that failed.
std::vector<std::string> last_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > kLogLines) lines.erase(lines.begin(), lines.end() - kLogLines);
  return lines;
}

std::int64_t now_ns() {
  return device::steady_clock().now_ns();
}

}  // namespace

std::int64_t Deadlines::measurement_ns(double predicted_seconds) const {
  return std::max(least_ns, static_cast<std::int64_t>(of_predicted * predicted_seconds * 1e9));
}

struct Fleet::Rank {
  worker::Socket socket;
  worker::FrameReader frames;
  std::optional<worker::Progress> progress;
  std::vector<RankRun> reports;
  std::optional<std::string> offer;  // its part of the assembly under way
  std::string problem;               // why it is lost
};

/// Connections that have not said who they are.
struct Fleet::Waiting {
  worker::Socket listener;
  std::vector<std::unique_ptr<Rank>> connections;
};

Fleet::Fleet(const FleetPlan& plan) : plan_(plan), waiting_(std::make_unique<Waiting>()) {
  if (plan.interrupts != nullptr) interrupts_before_ = plan.interrupts->load();
}

std::unique_ptr<Fleet> Fleet::start(const FleetPlan& plan, FleetFailure& failure) {
  std::unique_ptr<Fleet> fleet(new Fleet(plan));
  const std::string missing = missing_for(*plan.backend, plan.workers, plan.ranks);
  if (!missing.empty()) {
    failure = {FleetProblem::kUnsupported,
               -1,
               fmt::format("backend {} cannot run here: {}", plan.backend->name, missing),
               {}};
    return nullptr;
  }
  const LaunchPlace place{plan.workers, plan.folder, plan.folder + "/ranks.sock",
                          plan.folder + "/ranks.log", plan.folder + "/topology.xml"};
  fleet->waiting_->listener = worker::listen_at(place.socket);
  for (const Command& command : plan.backend->commands(place, plan.ranks)) {
    fleet->processes_.push_back(Process::start(command));
  }
  if (fleet->gather(failure)) return fleet;
  return nullptr;
}

/// Waits until every rank has said hello.
bool Fleet::gather(FleetFailure& failure) {
  ranks_.resize(static_cast<std::size_t>(plan_.ranks));
  hellos_.resize(ranks_.size());
  const std::int64_t deadline = now_ns() + plan_.deadlines.start_ns;
  const auto there = [](const std::unique_ptr<Rank>& rank) { return rank != nullptr; };
  while (!std::all_of(ranks_.begin(), ranks_.end(), there)) {
    poll_once(kPollMs);
    for (std::size_t c = 0; c < waiting_->connections.size();) {
      const std::size_t before = waiting_->connections.size();
      take_hello(c);
      if (waiting_->connections.size() == before) ++c;
    }
    if (interrupted()) {
      failure = {FleetProblem::kInterrupted, -1, "interrupted while ranks started", {}};
      return false;
    }
    const bool dead = std::any_of(processes_.begin(), processes_.end(),
                                  [](Process& process) { return process.ended().has_value(); });
    if (!dead && now_ns() < deadline) continue;
    const auto count = std::count_if(ranks_.begin(), ranks_.end(), there);
    failure = {FleetProblem::kLost, -1,
               fmt::format("{} of {} ranks came up{}", count, plan_.ranks,
                           dead ? ", then a process ended" : " in time"),
               last_lines(plan_.folder + "/ranks.log")};
    return false;
  }
  waiting_->listener.close();
  return true;
}

/// Moves a connection to its rank once it has said which one it is; drops it if it says nonsense.
void Fleet::take_hello(std::size_t connection) {
  auto& all = waiting_->connections;
  Rank& rank = *all[connection];
  Frame frame;
  const bool any = rank.frames.next(frame);
  if (!any && rank.problem.empty() && rank.frames.problem().empty()) return;
  const auto hello = any ? worker::decode_hello(frame) : std::nullopt;
  const auto index = static_cast<std::size_t>(hello ? hello->rank : -1);
  if (hello && index < ranks_.size() && !ranks_[index]) {
    hellos_[index] = *hello;
    ranks_[index] = std::move(all[connection]);
  }
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(connection));
}

void Fleet::read_from(Rank& rank) {
  const auto bytes = rank.socket.receive();
  if (!bytes || bytes->empty()) {
    rank.problem = "its process is gone";
    rank.socket.close();
    return;
  }
  rank.frames.feed(*bytes);
}

void Fleet::poll_once(int timeout_ms) {
  std::vector<pollfd> watched;
  std::vector<Rank*> owners;
  const auto watch = [&](const std::unique_ptr<Rank>& rank) {
    if (!rank || !rank->socket.is_open()) return;
    watched.push_back({rank->socket.handle(), POLLIN, 0});
    owners.push_back(rank.get());
  };
  for (const auto& rank : ranks_) watch(rank);
  for (const auto& rank : waiting_->connections) watch(rank);
  const bool listening = waiting_->listener.is_open();
  if (listening) watched.push_back({waiting_->listener.handle(), POLLIN, 0});
  if (poll(watched.data(), watched.size(), timeout_ms) <= 0) return;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (watched[i].revents != 0) read_from(*owners[i]);
  }
  if (listening && watched.back().revents != 0) {
    auto rank = std::make_unique<Rank>();
    rank->socket = worker::accept_from(waiting_->listener);
    if (rank->socket.is_open()) waiting_->connections.push_back(std::move(rank));
  }
}

void Fleet::handle(Rank& rank, const Frame& frame) {
  if (auto progress = worker::decode_progress(frame)) {
    rank.progress = *progress;
  } else if (auto report = worker::decode_report(frame)) {
    rank.reports.push_back(std::move(report->run));
  } else if (auto offer = worker::decode_offer(frame); offer && !rank.offer) {
    rank.offer = std::move(offer->text);
  } else {
    rank.problem = "it sent a message that makes no sense";
  }
}

/// Once every rank has offered its part.
void Fleet::answer_offers() {
  const auto offered = [](const std::unique_ptr<Rank>& rank) { return rank->offer.has_value(); };
  if (!std::all_of(ranks_.begin(), ranks_.end(), offered)) return;
  worker::Offers offers;
  for (const auto& rank : ranks_) offers.texts.push_back(std::move(*rank->offer));
  const std::string answer = worker::encode_frame(worker::encode(offers));
  for (const auto& rank : ranks_) {
    rank->offer.reset();
    if (!rank->socket.send(answer)) rank->problem = "its process is gone";
  }
}

std::string Fleet::differences() const {
  std::string text;
  for (std::size_t r = 1; r < hellos_.size(); ++r) {
    for (const auto& [name, value] : hellos_[r].versions) {
      const auto& first = hellos_.front().versions;
      const auto same = std::find(first.begin(), first.end(), std::pair(name, value));
      if (same == first.end()) text += fmt::format("rank {}: {} is \"{}\"\n", r, name, value);
    }
  }
  return text;
}

bool Fleet::interrupted() const {
  return plan_.interrupts != nullptr && plan_.interrupts->load() > interrupts_before_;
}

std::vector<std::string> Fleet::flight(const schedule::Schedule& schedule) const {
  std::vector<std::string> lines;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    const Rank& rank = *ranks_[r];
    lines.push_back(flight_line(schedule, static_cast<int>(r), rank.progress, rank.reports.size(),
                                rank.problem));
  }
  return lines;
}

std::string Fleet::how_it_ended(const Rank& rank) {
  if (rank.problem != "its process is gone") return rank.problem;
  // The status comes a moment after the connection breaks.
  const std::int64_t until = now_ns() + 1'000'000'000;
  const auto index = static_cast<std::size_t>(
      std::find_if(ranks_.begin(), ranks_.end(), [&](const auto& r) { return r.get() == &rank; }) -
      ranks_.begin());
  Process& process = processes_.size() == ranks_.size() ? processes_[index] : processes_.front();
  while (!process.ended() && now_ns() < until) poll_once(kPollMs);
  const auto end = process.ended();
  return end ? fmt::format("{} ({})", rank.problem, to_text(*end)) : rank.problem;
}

/// What is wrong with any rank, if something is. A failure that is not an echo of another rank's
/// goes first.
std::optional<FleetFailure> Fleet::first_trouble(const schedule::Schedule& schedule) {
  std::optional<FleetFailure> echo;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Rank& rank = *ranks_[r];
    const int number = static_cast<int>(r);
    if (rank.problem.empty() && !rank.frames.problem().empty()) {
      rank.problem = "it sent " + rank.frames.problem();
    }
    if (!rank.problem.empty()) {
      const std::string where = op_text(schedule, number, rank.progress);
      return FleetFailure{FleetProblem::kLost, number,
                          fmt::format("rank {}: {}, {}", r, how_it_ended(rank), where),
                          flight(schedule)};
    }
    if (rank.reports.empty() || !rank.reports.back().failure) continue;
    const device::Failure& failure = *rank.reports.back().failure;
    const bool wrong = failure.kind == device::FailureKind::kWrongData;
    FleetFailure told{
        wrong ? FleetProblem::kWrongData : FleetProblem::kLost, number,
        fmt::format("rank {}: {}: {}, at {}", r, to_string(failure.kind), failure.text,
                    host_op_text(schedule, number, rank.reports.back().failed_at)),
        flight(schedule)};
    if (failure.kind != device::FailureKind::kAborted) return told;
    echo = std::move(told);
    echo->is_echo = true;
  }
  return echo;
}

/// Whole repeats: those that every rank has reported.
void Fleet::collect(FleetRun& run, std::size_t& told,
                    const std::function<void(const std::vector<RankRun>&)>& done) {
  std::size_t whole = ranks_.front()->reports.size();
  for (const auto& rank : ranks_) whole = std::min(whole, rank->reports.size());
  for (; told < whole; ++told) {
    std::vector<RankRun> repeat;
    for (const auto& rank : ranks_) repeat.push_back(std::move(rank->reports[told]));
    const bool good = std::none_of(repeat.begin(), repeat.end(),
                                   [](const RankRun& r) { return r.failure.has_value(); });
    if (!good) {  // put back what first_trouble() wants to see
      for (std::size_t r = 0; r < repeat.size(); ++r) {
        ranks_[r]->reports[told] = std::move(repeat[r]);
      }
      return;
    }
    if (done) done(repeat);
    run.repeats.push_back(std::move(repeat));
  }
}

FleetRun Fleet::run(const schedule::Schedule& schedule, worker::Request request,
                    std::int64_t deadline_ns,
                    const std::function<void(const std::vector<RankRun>&)>& done) {
  HEDDLE_CHECK(!spent_, "a fleet that failed is asked again");
  if (plan_.backend->traits.needs_region) {
    request.region_file = plan_.folder + "/ranks.region";
    unlink(request.region_file.c_str());  // a new file: ranks may still hold the old one
    device::make_region(request.region_file, device::Exchange::region_bytes(schedule));
  }
  const std::string asked = worker::encode_frame(worker::encode(request));
  for (const auto& rank : ranks_) {
    rank->reports.clear();
    rank->progress.reset();
    rank->offer.reset();
    if (!rank->socket.send(asked)) rank->problem = "its process is gone";
  }
  FleetRun run;
  std::size_t told = 0;
  std::int64_t echo_since = 0;
  const std::int64_t end = now_ns() + deadline_ns;
  while (!run.failure && run.repeats.size() < static_cast<std::size_t>(request.repeats)) {
    poll_once(kPollMs);
    for (const auto& rank : ranks_) {
      for (Frame frame; rank->frames.next(frame);) handle(*rank, frame);
    }
    answer_offers();
    collect(run, told, done);
    run.failure = first_trouble(schedule);
    // A rank that was told to stop may be heard before the one that is the cause.
    if (run.failure && run.failure->is_echo) {
      if (echo_since == 0) echo_since = now_ns();
      if (now_ns() < echo_since + kEchoNs) run.failure.reset();
    }
    if (!run.failure && interrupted()) {
      run.failure = {FleetProblem::kInterrupted, -1, "interrupted", flight(schedule)};
    } else if (!run.failure && now_ns() > end) {
      run.failure = {
          FleetProblem::kLost, -1,
          fmt::format("no answer after {:.3g} s", static_cast<double>(deadline_ns) * 1e-9),
          flight(schedule)};
    }
  }
  if (run.failure) {
    spent_ = true;
    stop_all();
  }
  return run;
}

/// Abort with a deadline of its own, then kill.
void Fleet::stop_all() {
  const std::string abort = worker::encode_frame(worker::encode_empty(MessageType::kAbort));
  const std::string quit = worker::encode_frame(worker::encode_empty(MessageType::kQuit));
  for (const auto& rank : ranks_) {
    if (rank && rank->socket.is_open() && !spent_) rank->socket.send(quit);
    if (rank && rank->socket.is_open() && spent_) rank->socket.send(abort + quit);
  }
  const int asked = plan_.interrupts == nullptr ? 0 : plan_.interrupts->load();
  const std::int64_t end = now_ns() + (spent_ ? plan_.deadlines.abort_ns : plan_.deadlines.quit_ns);
  while (!all_ended() && now_ns() < end) {
    if (plan_.interrupts != nullptr && plan_.interrupts->load() > asked) break;  // a second Ctrl-C
    poll_once(kPollMs);
  }
  kill_all();
}

void Fleet::kill_all() {
  for (const worker::Hello& hello : hellos_) {
    const auto pid = static_cast<pid_t>(hello.pid);
    const bool ours = pid > 1 && ranks_[static_cast<std::size_t>(hello.rank)] &&
                      ranks_[static_cast<std::size_t>(hello.rank)]->socket.is_open();
    if (ours) ::kill(pid, SIGKILL);  // its connection is open: the id is still its own
  }
  // What started the ranks cleans up after them if it may.
  const std::int64_t end = now_ns() + kCleanUpNs;
  while (!all_ended() && now_ns() < end) poll_once(kPollMs);
  processes_.clear();
}

bool Fleet::all_ended() {
  return std::all_of(processes_.begin(), processes_.end(),
                     [](Process& process) { return process.ended().has_value(); });
}

Fleet::~Fleet() {
  stop_all();
  unlink((plan_.folder + "/ranks.sock").c_str());
  unlink((plan_.folder + "/ranks.region").c_str());
}

}  // namespace heddle::launch

#include "validator/worker/worker.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/version.h"
#include "sim/io/file.h"
#include "sim/io/schedule_file.h"
#include "validator/worker/socket.h"
#include "validator/worker/socket_assembly.h"

namespace heddle::worker {
namespace {

constexpr int kProgressMs = 100;

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// One request's schedule, device and runner. Kept until the next one: the main thread looks in.
struct Job {
  Job(Request r, std::function<bool(const Frame&)> send)
      : request(std::move(r)), assembly(std::move(send)) {}

  /// Why the request cannot be met, "" if it can.
  std::string prepare(const WorkerBackend& backend);
  void run(const std::function<bool(const Report&)>& tell);

  Request request;
  std::optional<io::ScheduleFile> file;
  SocketAssembly assembly;
  std::unique_ptr<device::Device> device;
  std::unique_ptr<execute::FaultyDevice> faulty_device;
  std::unique_ptr<execute::RankRunner> runner;
  std::atomic<bool> ready = false;
  std::atomic<bool> done = false;
  std::atomic<bool> failed = false;
};

std::string Job::prepare(const WorkerBackend& backend) {
  try {
    Diagnostics problems;
    file = io::read_schedule(io::read_file(request.schedule_file), request.schedule_file, problems);
    if (!file) return format(problems.all().front());
  } catch (const Error& error) {
    return error.what();
  }
  if (file->hash != request.schedule_hash) {
    return "the schedule's hash is " + file->hash + ", the parent's " + request.schedule_hash;
  }
  if (file->schedule.rank_count() != backend.ranks) {
    return "the schedule has " + std::to_string(file->schedule.rank_count()) + " ranks";
  }
  const execute::Fault fault =
      request.fault.rank == backend.rank ? request.fault : execute::Fault{};
  std::string problem;
  device = backend.device({file->schedule, request, fault, assembly}, problem);
  if (!device) return problem;
  faulty_device = std::make_unique<execute::FaultyDevice>(*device, fault);
  runner = std::make_unique<execute::RankRunner>(file->schedule, backend.rank, *faulty_device,
                                                 device::steady_clock());
  ready.store(true);
  return "";
}

void Job::run(const std::function<bool(const Report&)>& tell) {
  for (int repeat = 0; repeat < request.repeats; ++repeat) {
    const Report report{repeat, runner->run(request.options)};
    failed.store(report.run.failure.has_value());
    if (!tell(report) || failed.load()) return;
  }
}

class Server {
 public:
  Server(Socket socket, const WorkerBackend& backend)
      : socket_(std::move(socket)), backend_(backend) {}

  WorkerExit serve();

 private:
  bool tell(const Frame& frame) {
    const std::lock_guard lock(sending_);
    return socket_.send(encode_frame(frame));
  }
  void begin(Request request);
  void work();
  void tell_progress();
  bool handle(const Frame& frame);
  [[noreturn]] void leave(WorkerExit how) const { std::_Exit(static_cast<int>(how)); }
  bool stuck() const;

  Socket socket_;
  const WorkerBackend& backend_;
  std::mutex sending_;
  FrameReader frames_;
  std::unique_ptr<Job> job_;
  std::thread thread_;
};

void Server::work() {
  const std::string problem = job_->prepare(backend_);
  if (!problem.empty()) {
    Report refusal;
    refusal.run.failure = device::Failure{device::FailureKind::kMismatch, problem};
    job_->failed.store(true);
    tell(encode(refusal));
  } else {
    const bool garbage = job_->request.fault.kind == execute::FaultKind::kGarbage &&
                         job_->request.fault.rank == backend_.rank;
    job_->run([&](const Report& report) {
      if (!garbage) return tell(encode(report));
      const std::lock_guard lock(sending_);
      return socket_.send("this is no message of anybody's");
    });
  }
  job_->done.store(true);
}

/// The last report is a moment ahead of the end of its thread.
bool Server::stuck() const {
  constexpr int kPolls = 100;
  constexpr std::int64_t kNap = 10'000'000;
  if (!job_) return false;
  for (int polls = 0; !job_->done.load() && polls < kPolls; ++polls) {
    if (job_->failed.load()) return true;
    device::steady_clock().sleep_ns(kNap);
  }
  return !job_->done.load() || job_->failed.load();
}

/// The parent asks only once it has every report of the request before.
void Server::begin(Request request) {
  if (thread_.joinable()) thread_.join();
  job_ =
      std::make_unique<Job>(std::move(request), [this](const Frame& frame) { return tell(frame); });
  thread_ = std::thread([this] { work(); });
}

void Server::tell_progress() {
  if (!job_ || !job_->ready.load() || job_->done.load()) return;
  Progress progress;
  progress.host_op = job_->runner->host_op();
  progress.streams = job_->device->progress();
  tell(encode(progress));
}

/// False when it is time to go.
bool Server::handle(const Frame& frame) {
  if (auto request = decode_request(frame)) {
    if (job_ && job_->failed.load()) leave(WorkerExit::kDone);
    begin(std::move(*request));
    return true;
  }
  if (frame.type == static_cast<std::uint32_t>(MessageType::kAbort)) {
    if (job_) job_->assembly.abort();
    if (job_ && job_->ready.load()) job_->faulty_device->abort();
    return true;
  }
  if (auto offers = decode_offers(frame)) {
    if (job_) job_->assembly.deliver(std::move(offers->texts));
    return true;
  }
  return false;  // to quit, or nothing we know
}

WorkerExit Server::serve() {
  Hello hello{backend_.rank, backend_.ranks,    getpid(),
              host_name(),   backend_.versions, backend_.facts};
  hello.versions.emplace_back("heddle", kVersion);
  if (!tell(encode(hello))) return WorkerExit::kNoParent;
  pollfd watched{socket_.handle(), POLLIN, 0};
  while (true) {
    if (poll(&watched, 1, kProgressMs) == 0) {
      tell_progress();
      continue;
    }
    const auto bytes = socket_.receive();
    if (!bytes || bytes->empty()) leave(WorkerExit::kNoParent);
    frames_.feed(*bytes);
    for (Frame frame; frames_.next(frame);) {
      if (handle(frame)) continue;
      if (stuck()) leave(WorkerExit::kDone);
      if (thread_.joinable()) thread_.join();
      job_.reset();
      return WorkerExit::kDone;
    }
    if (!frames_.problem().empty()) leave(WorkerExit::kNoParent);
  }
}

}  // namespace

WorkerExit serve(const std::string& socket_path, const WorkerBackend& backend) {
  Socket socket = connect_to(socket_path);
  if (!socket.is_open()) return WorkerExit::kNoParent;
  return Server(std::move(socket), backend).serve();
}

}  // namespace heddle::worker

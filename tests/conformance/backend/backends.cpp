#include "tests/conformance/backend/backends.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/io/file.h"
#include "sim/io/schedule_file.h"
#include "validator/execute/thread_job.h"
#include "validator/launch/fleet.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

Outcome in_threads(const Job& job) {
  execute::ThreadJobHooks hooks;
  hooks.memory = job.memory;
  hooks.repeats = job.repeats;
  hooks.transport = [&](device::Transport& inner, int rank) {
    const auto fault = rank == job.fault.rank ? job.fault : execute::Fault{};
    return std::make_unique<execute::FaultyTransport>(inner, fault);
  };
  Outcome outcome;
  for (auto& runs : execute::run_in_threads(job.schedule, job.options, hooks)) {
    for (const execute::RankRun& run : runs) {
      const bool echo = run.failure && run.failure->kind == device::FailureKind::kAborted;
      if (!run.failure || (echo && !outcome.failure.empty())) continue;
      outcome.failure = fmt::format("{}: {}", to_string(run.failure->kind), run.failure->text);
      if (!echo) return outcome;
    }
    if (!outcome.failure.empty()) return outcome;
    outcome.repeats.push_back(std::move(runs));
  }
  return outcome;
}

std::string workers() {
  return fs::read_symlink("/proc/self/exe").parent_path().string();
}

Outcome in_fleet(const std::string& backend, const Job& job) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string("heddle_") + test->name();
  for (char& c : name) c = c == '/' ? '_' : c;
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string text = io::write_schedule(job.schedule, {"conformance", "a/b", ""});
  const std::string file = (folder / "step.hsched").string();
  io::write_file(file, text);
  Diagnostics problems;
  const auto written = io::read_schedule(text, file, problems);
  Outcome outcome;
  launch::FleetFailure failure;
  launch::FleetPlan plan{launch::find_backend(backend),
                         job.schedule.rank_count(),
                         workers(),
                         folder.string(),
                         {},
                         nullptr};
  plan.deadlines.abort_ns = 500'000'000;
  {
    const auto fleet = launch::Fleet::start(plan, failure);
    if (!fleet || !written) return {{}, failure.text};
    worker::Request request;
    request.schedule_file = file;
    request.schedule_hash = written->hash;
    request.options = job.options;
    request.repeats = job.repeats;
    request.memory = job.memory;
    request.fault = job.fault;
    launch::FleetRun run = fleet->run(written->schedule, request, 20'000'000'000);
    outcome.repeats = std::move(run.repeats);
    if (run.failure) outcome.failure = run.failure->text;
  }
  fs::remove_all(folder);
  return outcome;
}

Backend fleet_backend(const std::string& name) {
  std::string title = name;
  std::replace(title.begin(), title.end(), '-', '_');
  return {title + "_processes",
          [name] { return launch::missing_for(*launch::find_backend(name), workers(), 3); },
          [name](const Job& job) { return in_fleet(name, job); }};
}

}  // namespace

const std::vector<Backend>& backends() {
  static const std::vector<Backend> all = [] {
    std::vector<Backend> list{{"reference_threads", [] { return ""; }, in_threads}};
    for (const launch::BackendEntry& entry : launch::backends()) {
      list.push_back(fleet_backend(std::string(entry.name)));
    }
    return list;
  }();
  return all;
}

}  // namespace heddle::test

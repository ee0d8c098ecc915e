// heddle replay: a recorded trace of requests through the caching allocator.

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "sim/allocator/alloc_conf.h"
#include "sim/base/units_text.h"
#include "sim/cli/input_file.h"
#include "sim/cli/messages.h"
#include "sim/cli/options.h"
#include "sim/cli/replay_report.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"
#include "sim/io/allocator_trace.h"

namespace heddle::cli {
namespace {

struct ReplayRequest {
  std::string file;
  std::string alloc_conf;
  std::string capacity;
  std::string fail_on;
  std::string output_file;
  std::size_t top = 10;
  Format format = Format::kTable;
};

/// All faults in one message, as they are of the command line.
allocator::AllocatorConfig config_of(const ReplayRequest& request, const Environment& env) {
  Diagnostics found;
  const auto config = allocator::parse_alloc_conf(request.alloc_conf, "--alloc-conf", found);
  if (config) {
    print_diagnostics(found, Severity::kNote, env.err);
    return *config;
  }
  std::string text;
  for (const Diagnostic& problem : found.all()) {
    text += (text.empty() ? "" : "\n") + format(problem);
  }
  throw UsageError(text);
}

Bytes capacity_of(const ReplayRequest& request) {
  if (request.capacity.empty()) return allocator::kUnlimited;
  const Parsed<Bytes> read = parse_bytes(request.capacity);
  if (!read.value) throw UsageError("--capacity: " + read.reason + "; " + read.hint);
  if (read.value->value <= 0) throw UsageError("--capacity must be above 0, e.g. 80GB");
  return *read.value;
}

allocator::Trace trace_of(const ReplayRequest& request) {
  Diagnostics found;
  auto trace = io::read_allocator_trace(read_input(request.file), request.file, found);
  if (!trace) throw BadInput(std::move(found));
  return std::move(*trace);
}

ExitCode replay(const ReplayRequest& request, const Environment& env) {
  allocator::ReplayOptions options;
  options.config = config_of(request, env);
  options.capacity = capacity_of(request);
  options.top_blocks = request.top;
  ReplayAnswer answer{request.file, request.alloc_conf, options.capacity, trace_of(request), {}};
  answer.result = allocator::replay(answer.trace, options);
  emit(request.format == Format::kJson ? replay_json(answer) : replay_text(answer),
       request.output_file, env);
  const bool fits = !answer.result.out_of_memory;
  return request.fail_on == "oom" && !fits ? ExitCode::kDoesNotFit : ExitCode::kDone;
}

}  // namespace

void add_replay(CLI::App& app, const Environment& env, Action& action) {
  auto request = std::make_shared<ReplayRequest>();
  CLI::App* verb =
      app.add_subcommand("replay", "run a recorded memory trace through the caching allocator");
  verb->add_option("TRACE", request->file,
                   "heddle.allocator-trace/1; sim/allocator/snapshot_to_trace.py makes one of a "
                   "PyTorch memory snapshot")
      ->required();
  verb->add_option("--alloc-conf", request->alloc_conf, "text of PYTORCH_CUDA_ALLOC_CONF")
      ->type_name("TEXT");
  verb->add_option("--capacity", request->capacity,
                   "what the process may take of the GPU: its memory less CUDA context and NCCL")
      ->type_name("BYTES");
  verb->add_option("--top", request->top, "how many of the blocks alive at the peak to list")
      ->type_name("COUNT");
  verb->add_option("--fail-on", request->fail_on, "oom: exit 7 if a request fails")
      ->check(CLI::IsMember({"oom"}))
      ->type_name("WHAT");
  add_format_option(*verb, request->format, false);
  add_output_option(*verb, request->output_file);
  verb->footer(
      "Example: heddle replay trace.json --alloc-conf expandable_segments:True --capacity 80GB");
  verb->callback(
      [&env, &action, request] { action = [&env, request] { return replay(*request, env); }; });
}

}  // namespace heddle::cli

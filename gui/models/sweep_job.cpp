#include "gui/models/sweep_job.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "gui/models/failure.h"
#include "sim/io/file.h"
#include "sim/sweep/in_order.h"
#include "sim/sweep/point_runner.h"

namespace heddle::gui {
namespace {

int threads() {
  return static_cast<int>(std::max(2U, std::thread::hardware_concurrency())) - 1;
}

void run_sweep(const SweepRequest& request, const run::HardwareCatalog& catalog,
               const std::atomic<bool>& stop, const SweepHooks& hooks) {
  const auto select = [](const run::Scenario& scenario) { return run::expand_cases(scenario); };
  // The choices of a command line without --only, --case and --where: lines are then its own.
  sweep::PointRunner runner({io::read_file(request.file), request.file, request.overrides,
                             sweep::Grid(request.axes), select, "\n\n"},
                            catalog, io::read_file);
  hooks.began(runner.identity(), runner.columns());
  sweep::run_in_order(
      {0, runner.grid().size(), threads(), [&](std::size_t point) { return runner.run(point); },
       [&](std::size_t, std::vector<sweep::Row> rows) { hooks.point(std::move(rows)); }},
      stop);
}

}  // namespace

SweepJob::SweepJob(SweepRequest request, const run::HardwareCatalog& catalog, SweepHooks hooks)
    : thread_([this, request = std::move(request), &catalog, hooks = std::move(hooks)] {
        std::string problem;
        try {
          run_sweep(request, catalog, stop_, hooks);
        } catch (...) {
          problem = first_error(explain_failure(std::current_exception(), request.file));
        }
        hooks.ended(problem);
      }) {}

}  // namespace heddle::gui

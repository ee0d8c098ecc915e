#include "sim/cli/grid_sweep.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "sim/cli/input_file.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/progress.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "sim/io/growing_file.h"
#include "sim/io/json_document.h"
#include "sim/sweep/filter.h"
#include "sim/sweep/in_order.h"
#include "sim/sweep/pareto.h"
#include "sim/sweep/point_runner.h"
#include "sim/sweep/resume.h"

namespace heddle::cli {
namespace {

/// The value, or a UsageError that names the option.
template <typename T>
T wanted(const std::string& option, const std::string& text, Parsed<T> parsed) {
  if (parsed.value) return std::move(*parsed.value);
  const std::string hint = parsed.hint.empty() ? "" : "; " + parsed.hint;
  throw UsageError(fmt::format("{} {}: {}{}", option, text, parsed.reason, hint));
}

sweep::Grid grid_of(const GridSweepOptions& options) {
  std::vector<sweep::Axis> axes;
  for (const std::string& text : options.vary) {
    sweep::Axis axis = wanted("--vary", text, sweep::parse_axis(text));
    for (const sweep::Axis& other : axes) {
      if (other.path == axis.path) {
        throw UsageError(fmt::format("--vary {}: its values belong in one --vary", axis.path));
      }
    }
    axes.push_back(std::move(axis));
  }
  sweep::Grid grid(std::move(axes));
  if (grid.size() > sweep::kMostPoints) {
    throw UsageError(fmt::format("--vary: more than {} points", sweep::kMostPoints));
  }
  return grid;
}

sweep::SweepRequest request_of(const GridSweepOptions& options) {
  const std::string text = read_input(options.study.file);
  Diagnostics faults;  // what is no JSON at all would be the answer at every point
  if (!io::JsonDocument::parse(text, options.study.file, faults)) throw BadInput(std::move(faults));
  const auto select = [selection = options.selection](const run::Scenario& scenario) {
    return select_cases(scenario, run::expand_cases(scenario), selection);
  };
  return {text,
          options.study.file,
          split_overrides(options.study.overrides),
          grid_of(options),
          select,
          options.selection.only + '\n' + options.selection.case_id + '\n' + options.where};
}

/// Where lines go: standard output, or a file that grows.
class LineSink {
 public:
  LineSink(const Environment& env, const std::string& file, std::size_t keep) : env_(env) {
    if (!file.empty()) file_.emplace(file, keep);
  }
  void add(const std::string& text) {
    if (file_) {
      file_->add(text);
    } else {
      env_.out << text << std::flush;
    }
  }

 private:
  const Environment& env_;
  std::optional<io::GrowingFile> file_;
};

class GridSweep {
 public:
  GridSweep(const GridSweepOptions& options, const Environment& env)
      : options_(options),
        env_(env),
        runner_(request_of(options), env.catalog, io::read_file),
        text_(options.format, runner_.identity(), runner_.columns()) {
    if (!options.where.empty()) {
      filter_ =
          wanted("--where", options.where, sweep::parse_filter(options.where, runner_.columns()));
    }
    if (!options.pareto.empty()) {
      goals_ =
          wanted("--pareto", options.pareto, sweep::parse_goals(options.pareto, runner_.columns()));
    }
    if (!goals_.empty() && !options.resume_file.empty()) {
      throw UsageError("--pareto needs every row at once; --resume the sweep without it");
    }
    resume();
  }

  ExitCode run();

 private:
  void resume();
  void accept(std::size_t point, std::vector<sweep::Row> rows);
  void add_point(std::size_t point, std::string lines);

  const GridSweepOptions& options_;
  const Environment& env_;
  sweep::PointRunner runner_;
  sweep::RowText text_;
  sweep::Filter filter_;
  std::vector<std::size_t> goals_;
  sweep::Resumption from_;
  std::optional<LineSink> sink_;
  std::optional<Progress> progress_;
  std::vector<sweep::Row> kept_;  // with goals: compared once all are there
  std::size_t cases_ = 0;
  std::size_t refused_ = 0;
};

[[noreturn]] void not_this_sweep(const std::string& file, const std::string& reason,
                                 const std::string& hint) {
  Diagnostics problem;
  problem.error("other-sweep", file, "", 0, reason, hint);
  throw BadInput(std::move(problem));
}

void GridSweep::resume() {
  const std::string& file = options_.resume_file;
  std::error_code error;
  if (!file.empty() && std::filesystem::is_regular_file(file, error)) {
    const auto found = sweep::resume_from(io::read_file(file), text_);
    if (!found.value) not_this_sweep(file, found.reason, found.hint);
    from_ = *found.value;
  }
  sink_.emplace(env_, file.empty() ? options_.output_file : file, from_.keep + from_.again.size());
  if (from_.keep == 0 && from_.again.empty()) sink_->add(text_.header());
}

void GridSweep::accept(std::size_t point, std::vector<sweep::Row> rows) {
  std::string lines;
  for (sweep::Row& row : rows) {
    ++cases_;
    if (std::get_if<std::string>(&row.cells.back()) != nullptr) ++refused_;
    if (!filter_.keeps(row)) continue;
    if (goals_.empty()) {
      lines += text_.line(row);
    } else {
      kept_.push_back(std::move(row));
    }
  }
  add_point(point, std::move(lines));
  progress_->advance();
}

/// Of the point that is run again only what is missing.
void GridSweep::add_point(std::size_t point, std::string lines) {
  if (point == from_.next && !from_.again.empty()) {
    if (!lines.starts_with(from_.again)) {
      not_this_sweep(options_.resume_file, fmt::format("point {} now comes out differently", point),
                     "a file that the scenario names has changed; name another file");
    }
    lines.erase(0, from_.again.size());
  }
  if (!lines.empty()) sink_->add(lines);
}

ExitCode GridSweep::run() {
  const Interrupt interrupt;
  const std::size_t size = runner_.grid().size();
  progress_.emplace(env_, "points", from_.next, size);
  sweep::run_in_order(
      {from_.next, size, options_.jobs, [this](std::size_t point) { return runner_.run(point); },
       [this](std::size_t point, std::vector<sweep::Row> rows) { accept(point, std::move(rows)); }},
      interrupt.wanted());
  for (const sweep::Row& row : sweep::non_dominated(std::move(kept_), goals_, runner_.columns())) {
    sink_->add(text_.line(row));
  }
  const double seconds = progress_->seconds();
  progress_.reset();
  env_.err << fmt::format("{} cases, {} refused, {:.2f} s\n", cases_, refused_, seconds);
  if (interrupt.wanted()) return ExitCode::kInterrupted;
  return cases_ > 0 && refused_ == cases_ ? ExitCode::kRunFailed : ExitCode::kDone;
}

}  // namespace

ExitCode run_grid_sweep(const GridSweepOptions& options, const Environment& env) {
  return GridSweep(options, env).run();
}

}  // namespace heddle::cli

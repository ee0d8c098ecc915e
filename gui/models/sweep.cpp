#include "gui/models/sweep.h"

#include <fmt/format.h>

#include <utility>

#include "gui/models/document.h"
#include "gui/models/shell_word.h"
#include "sim/sweep/row_text.h"

namespace heddle::gui {
namespace {

std::string problem_of(const std::vector<sweep::Axis>& axes) {
  const std::size_t points = sweep::Grid(axes).size();
  if (points > kMostSweepPoints) {
    return fmt::format("{} points; more than {} are for the command line", points,
                       kMostSweepPoints);
  }
  if (axes.size() == 2 && axes[0].path == axes[1].path) return "choose two different settings";
  return "";
}

}  // namespace

Sweep::Sweep(Document& document, QObject* parent) : QObject(parent), document_(document) {}

Sweep::~Sweep() = default;

std::string Sweep::start(const std::vector<std::string>& vary) {
  std::vector<sweep::Axis> axes;
  for (const std::string& text : vary) {
    auto axis = sweep::parse_axis(text);
    if (!axis.value) {
      return text + ": " + axis.reason + (axis.hint.empty() ? "" : "; " + axis.hint);
    }
    axes.push_back(std::move(*axis.value));
  }
  const std::string problem = problem_of(axes);
  if (!problem.empty()) return problem;
  vary_ = vary;
  answer_.reset();
  problem_.clear();
  request_ = {document_.file(), document_.history().edits(), std::move(axes)};
  running_ = true;
  ++run_;
  if (job_) {
    job_->cancel();  // begin() follows when its points have ended: nobody waits for them
  } else {
    begin();
  }
  Q_EMIT changed();
  return "";
}

void Sweep::begin() {
  const auto later = [this](auto work) {
    QMetaObject::invokeMethod(this, std::move(work), Qt::QueuedConnection);
  };
  const std::uint64_t run = run_;
  SweepHooks hooks;
  hooks.began = [this, run, later](std::string identity, std::vector<sweep::Column> columns) {
    later([this, run, identity = std::move(identity), columns = std::move(columns)]() mutable {
      if (run != run_) return;
      identity_ = std::move(identity);
      answer_ = std::make_unique<SweepAnswer>(request_.axes, std::move(columns));
    });
  };
  hooks.point = [this, run, later](std::vector<sweep::Row> rows) {
    later([this, run, rows = std::move(rows)]() mutable { add(run, std::move(rows)); });
  };
  hooks.ended = [this, run, later](std::string what) {
    later([this, run, what = std::move(what)] { end(run, what); });
  };
  job_ = std::make_unique<SweepJob>(request_, document_.catalog(), std::move(hooks));
}

void Sweep::add(std::uint64_t run, std::vector<sweep::Row> rows) {
  if (run != run_ || !answer_) return;
  answer_->add(std::move(rows));
  Q_EMIT changed();
}

void Sweep::end(std::uint64_t run, const std::string& problem) {
  job_.reset();  // its thread has nothing left to do
  if (run == run_) {
    running_ = false;
    problem_ = problem;
    Q_EMIT changed();
  } else if (running_) {
    begin();
  }
}

/// What has come stays.
void Sweep::cancel() {
  if (!running_) return;
  if (job_) job_->cancel();
  running_ = false;
  Q_EMIT changed();
}

std::string Sweep::command_line() const {
  std::string text = "heddle sweep " + shell_word(request_.file);
  for (const auto& [path, value] : request_.overrides) {
    text += " --set " + shell_word(path + "=" + value);
  }
  for (const std::string& vary : vary_) text += " --vary " + shell_word(vary);
  return text;
}

std::string Sweep::text(bool csv) const {
  if (!answer_) return "";
  const sweep::RowText lines(csv ? sweep::LineFormat::kCsv : sweep::LineFormat::kJsonLines,
                             identity_, answer_->columns());
  std::string out = lines.header();
  for (const sweep::Row& row : answer_->rows()) out += lines.line(row);
  return out;
}

void Sweep::open(std::size_t point, const std::string& case_id) {
  if (!answer_) return;
  Edits edits = request_.overrides;
  std::string name = "sweep's";
  for (const auto& [path, value] : answer_->grid().at(point)) {
    std::erase_if(edits, [&path = path](const auto& edit) { return edit.first == path; });
    edits.emplace_back(path, value);
    name += " " + path + " = " + value;
  }
  document_.choose(case_id);
  document_.set_all(name, edits);
}

}  // namespace heddle::gui

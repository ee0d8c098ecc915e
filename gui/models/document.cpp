#include "gui/models/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gui/models/case_view.h"
#include "gui/models/shell_word.h"
#include "gui/models/study_job.h"
#include "sim/base/error.h"
#include "sim/io/file.h"

namespace heddle::gui {
namespace {

/// What is wrong with it is for the job to say.
std::string text_of(const std::string& file) {
  try {
    return io::read_file(file);
  } catch (const Error&) {
    return "";
  }
}

std::vector<std::string> as_arguments(const Edits& edits) {
  std::vector<std::string> out;
  for (const auto& [path, value] : edits) out.push_back(path + "=" + value);
  return out;
}

}  // namespace

Document::Document(const run::HardwareCatalog& catalog, QObject* parent)
    : QObject(parent), catalog_(catalog) {}

Document::~Document() = default;

void Document::open(const std::string& file) {
  opening_ = file;
  launch();
}

void Document::set(const std::string& path, const std::string& value) {
  const std::string* old = history_.find(path);
  if (old != nullptr && *old == value) return;
  history_.set(path, value);
  Q_EMIT edits_changed();
  run();
}

void Document::set_all(const std::string& name, const Edits& edits) {
  if (!history_.set_all(name, edits)) return;
  Q_EMIT edits_changed();
  run();
}

void Document::reset(const std::string& path) {
  if (!history_.reset(path)) return;
  Q_EMIT edits_changed();
  run();
}

void Document::undo() {
  if (!history_.undo()) return;
  Q_EMIT edits_changed();
  run();
}

void Document::redo() {
  if (!history_.redo()) return;
  Q_EMIT edits_changed();
  run();
}

void Document::run() {
  if (!is_open()) return;
  opening_.clear();
  current_ = false;
  launch();
}

void Document::launch() {
  ++run_;
  running_ = true;
  if (job_) {
    job_->cancel();  // start() follows when it has ended: nobody waits for it
  } else {
    start();
  }
  Q_EMIT run_started();
}

void Document::start() {
  const std::uint64_t number = run_;
  JobHooks hooks;
  hooks.progressed = [this, number](int done, int total) {
    QMetaObject::invokeMethod(
        this,
        [this, number, done, total] {
          if (number == run_ && running_) Q_EMIT progressed(done, total);
        },
        Qt::QueuedConnection);
  };
  hooks.finished = [this, number](JobOutcome outcome) {
    QMetaObject::invokeMethod(
        this,
        [this, number, outcome = std::move(outcome)]() mutable { end(number, std::move(outcome)); },
        Qt::QueuedConnection);
  };
  cli::StudyRequest request{opening_, {}};
  if (opening_.empty()) request = {file_, as_arguments(history_.edits())};
  job_ = std::make_unique<StudyJob>(std::move(request), catalog_, std::move(hooks));
}

void Document::cancel() {
  if (!running_) return;
  if (job_) job_->cancel();
  ++run_;
  running_ = false;
  Q_EMIT run_ended();
}

void Document::end(std::uint64_t run, JobOutcome outcome) {
  job_.reset();  // its thread has nothing left to do
  if (run == run_) {
    running_ = false;
    take(std::move(outcome));
    Q_EMIT run_ended();
  } else if (running_) {
    start();
  }
}

void Document::take(JobOutcome outcome) {
  diagnostics_ = std::move(outcome.diagnostics);
  const bool opens = !opening_.empty();
  if (outcome.results) adopt(outcome);
  opening_.clear();
  if (!outcome.results) return;
  if (opens) {
    Q_EMIT opened();
    Q_EMIT edits_changed();
  }
  Q_EMIT results_changed();
  Q_EMIT chosen_changed();
}

/// The case that was chosen stays so, if there still is one of its name.
void Document::adopt(JobOutcome& outcome) {
  if (!opening_.empty()) {
    file_ = opening_;
    text_ = text_of(file_);
    history_.clear();
    results_.reset();
  }
  const std::string id = results_ ? results_->cases[chosen_].case_id : "";
  results_ = outcome.results;
  current_ = true;
  views_.assign(results_->cases.size(), nullptr);
  const auto& cases = results_->cases;
  const auto same =
      std::find_if(cases.begin(), cases.end(), [&](const auto& c) { return c.case_id == id; });
  chosen_ = same == cases.end() ? 0 : static_cast<std::size_t>(same - cases.begin());
}

void Document::choose(std::size_t index) {
  if (!results_ || index >= results_->cases.size() || index == chosen_) return;
  chosen_ = index;
  Q_EMIT chosen_changed();
}

void Document::pin(bool pinned) {
  pinned_ = pinned ? results_ : nullptr;
  if (results_) Q_EMIT results_changed();
}

bool Document::choose(const std::string& case_id) {
  if (!results_) return false;
  for (std::size_t i = 0; i < results_->cases.size(); ++i) {
    if (results_->cases[i].case_id != case_id) continue;
    choose(i);
    return true;
  }
  return false;
}

std::shared_ptr<const CaseView> Document::view(std::size_t index) const {
  auto& slot = views_.at(index);
  if (!slot) slot = std::make_shared<const CaseView>(results_, index);
  return slot;
}

std::string Document::command_line() const {
  std::string text = "heddle run " + shell_word(file_);
  for (const std::string& argument : as_arguments(history_.edits())) {
    text += " --set " + shell_word(argument);
  }
  return text;
}

}  // namespace heddle::gui

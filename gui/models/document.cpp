#include "gui/models/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gui/models/case_view.h"
#include "gui/models/study_job.h"

namespace heddle::gui {
namespace {

/// As a POSIX shell takes it literally.
std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
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
  file_ = file;
  history_.clear();
  results_.reset();
  views_.clear();
  diagnostics_ = {};
  chosen_ = 0;
  Q_EMIT opened();
  Q_EMIT edits_changed();
  run();
}

void Document::set(const std::string& path, const std::string& value) {
  const std::string* old = history_.find(path);
  if (old != nullptr && *old == value) return;
  history_.set(path, value);
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
  job_.reset();  // waits: the catalog serves one thread at a time
  const std::uint64_t number = ++run_;
  running_ = true;
  current_ = false;
  Q_EMIT run_started();
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
        this, [this, number, outcome = std::move(outcome)]() mutable { take(number, outcome); },
        Qt::QueuedConnection);
  };
  job_ = std::make_unique<StudyJob>(cli::StudyRequest{file_, as_arguments(history_.edits())},
                                    catalog_, std::move(hooks));
}

void Document::cancel() {
  if (!running_) return;
  job_->cancel();
  ++run_;
  running_ = false;
  Q_EMIT run_ended();
}

void Document::take(std::uint64_t run, JobOutcome outcome) {
  if (run != run_) return;
  running_ = false;
  diagnostics_ = std::move(outcome.diagnostics);
  if (outcome.results) {
    const std::string id = results_ ? results_->cases[chosen_].case_id : "";
    results_ = std::move(outcome.results);
    current_ = true;
    views_.assign(results_->cases.size(), nullptr);
    chosen_ = 0;
    const auto& cases = results_->cases;
    const auto same =
        std::find_if(cases.begin(), cases.end(), [&](const auto& c) { return c.case_id == id; });
    if (same != cases.end()) chosen_ = static_cast<std::size_t>(same - cases.begin());
    Q_EMIT results_changed();
    Q_EMIT chosen_changed();
  }
  Q_EMIT run_ended();
}

void Document::choose(std::size_t index) {
  if (!results_ || index >= results_->cases.size() || index == chosen_) return;
  chosen_ = index;
  Q_EMIT chosen_changed();
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

#pragma once
// The sweep of the window: what is varied, the answer as it comes, its files and its command.

#include <QObject>
#include <memory>
#include <string>
#include <vector>

#include "gui/models/sweep_answer.h"
#include "gui/models/sweep_job.h"

namespace heddle::gui {

class Document;

/// More is for the command line.
inline constexpr std::size_t kMostSweepPoints = 10'000;

class Sweep : public QObject {
  Q_OBJECT
 public:
  explicit Sweep(Document& document, QObject* parent = nullptr);
  ~Sweep() override;

  /// Axes as --vary takes them ("training.micro_batch=1,2,4"), one or two, the second along the
  /// picture. What is wrong with them, or "": the sweep of the document as it is now then runs.
  std::string start(const std::vector<std::string>& vary);
  void cancel();
  bool is_running() const { return running_; }

  /// Null before the first point. Grows while it runs.
  const SweepAnswer* answer() const { return answer_.get(); }
  /// Of a sweep that failed as a whole.
  const std::string& problem() const { return problem_; }

  /// `heddle sweep ...` with the same lines.
  std::string command_line() const;
  /// Lines so far, as that command prints them: CSV, or JSON Lines.
  std::string text(bool csv) const;
  /// The point's values become changes of the document, in one step of undo.
  void open(std::size_t point, const std::string& case_id);

 Q_SIGNALS:
  void changed();  // anything of the above

 private:
  void begin();
  void add(std::uint64_t run, std::vector<sweep::Row> rows);
  void end(std::uint64_t run, const std::string& problem);

  Document& document_;
  SweepRequest request_;
  std::vector<std::string> vary_;
  std::unique_ptr<SweepAnswer> answer_;
  std::string identity_;
  std::string problem_;
  bool running_ = false;
  std::uint64_t run_ = 0;          // number of the last job
  std::unique_ptr<SweepJob> job_;  // last: its thread ends before anything else does
};

}  // namespace heddle::gui

#pragma once
// `heddle place` on a thread of its own: every placement of a job that the wiring tells apart, run
// and ranked.

#include <QObject>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gui/models/results.h"
#include "sim/cli/place_search.h"

namespace heddle::gui {

class Document;

struct PlacementAnswer {
  cli::PlaceAnswer places;
  std::map<std::string, std::vector<run::GpuPlace>> machines;  // all GPUs, by fabric id
  std::map<std::string, std::size_t> fabrics;                  // id to place in the scenario
};

class Placements : public QObject {
  Q_OBJECT
 public:
  explicit Placements(Document& document, QObject* parent = nullptr);
  ~Placements() override;

  /// `busy` as --busy takes it: "0,5", or "1:3" on a cluster; `fabric` an id, or "" for every
  /// machine. Of the document as it is now; needs results.
  void start(int count, const std::string& busy, const std::string& fabric);
  /// Those that were run are the answer.
  void cancel();
  bool is_running() const { return running_; }
  int done() const { return done_; }
  int total() const { return total_; }

  /// Null before the first.
  const std::shared_ptr<const PlacementAnswer>& answer() const { return answer_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// `heddle place ...` that prints the same.
  std::string command_line() const { return command_; }
  /// Runs the scenario's fabric on a place of the answer, and chooses its case.
  void lay(const cli::RankedPlace& ranked);

 Q_SIGNALS:
  void changed();

 private:
  void end(std::shared_ptr<PlacementAnswer> answer, Diagnostics diagnostics);

  Document& document_;
  std::shared_ptr<const PlacementAnswer> answer_;
  Diagnostics diagnostics_;
  std::string command_;
  bool running_ = false;
  int done_ = 0;
  int total_ = 0;
  std::atomic<bool> stop_ = false;
  std::jthread thread_;  // last: ends before what it uses
};

}  // namespace heddle::gui

#include "gui/models/placements.h"

#include <fmt/format.h>

#include <QString>
#include <sstream>
#include <utility>

#include "gui/models/document.h"
#include "gui/models/failure.h"
#include "gui/models/shell_word.h"
#include "gui/models/what_if.h"

namespace heddle::gui {
namespace {

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  for (const QString& word : QString::fromStdString(list).split(',', Qt::SkipEmptyParts)) {
    if (!word.trimmed().isEmpty()) out.push_back(word.trimmed().toStdString());
  }
  return out;
}

/// What pictures need of the machines.
void add_machines(const run::Study& study, PlacementAnswer& answer) {
  for (const run::CaseId& id : study.cases()) {
    const std::string& name = study.scenario().fabrics[id.fabric].id;
    if (!answer.fabrics.emplace(name, id.fabric).second) continue;
    const fabric::Fabric& fabric = study.fabric(id);
    for (const fabric::DeviceId gpu : fabric.gpus()) {
      answer.machines[name].push_back({fabric.device(gpu).node, fabric.device(gpu).index});
    }
  }
}

std::string command_of(const cli::StudyRequest& study, const cli::PlaceRequest& place,
                       const std::string& busy) {
  std::string text = fmt::format("heddle place {} --gpus {}", shell_word(study.file), place.count);
  if (!place.busy.empty()) text += " --busy " + shell_word(busy);
  if (!place.fabric.empty()) text += " --fabric " + shell_word(place.fabric);
  for (const std::string& set : study.overrides) text += " --set " + shell_word(set);
  return text;
}

}  // namespace

Placements::Placements(Document& document, QObject* parent)
    : QObject(parent), document_(document) {}

Placements::~Placements() {
  stop_ = true;
}

void Placements::start(int count, const std::string& busy, const std::string& fabric) {
  if (!document_.results() || running_) return;
  cli::StudyRequest study{document_.file(), {}};
  for (const auto& [path, value] : document_.history().edits()) {
    study.overrides.push_back(path + "=" + value);
  }
  cli::PlaceRequest place{count, words_of(busy), fabric};
  command_ = command_of(study, place, busy);
  place.go_on = [this](std::size_t done, std::size_t total) {
    QMetaObject::invokeMethod(
        this,
        [this, done, total] {
          done_ = static_cast<int>(done);
          total_ = static_cast<int>(total);
          Q_EMIT changed();
        },
        Qt::QueuedConnection);
    return !stop_;
  };
  running_ = true;
  done_ = 0;
  total_ = 0;
  stop_ = false;
  auto answer = std::make_shared<PlacementAnswer>();
  add_machines(document_.results()->study, *answer);
  const run::HardwareCatalog& catalog = document_.catalog();
  thread_ =
      std::jthread([this, answer, &catalog, study = std::move(study), place = std::move(place)] {
        Diagnostics problems;
        try {
          std::ostringstream unused;
          answer->places = cli::find_places(study, place, {catalog, "", unused, unused});
        } catch (...) {
          problems = explain_failure(std::current_exception(), study.file);
        }
        QMetaObject::invokeMethod(
            this, [this, answer, problems = std::move(problems)] { end(answer, problems); },
            Qt::QueuedConnection);
      });
  Q_EMIT changed();
}

void Placements::end(std::shared_ptr<PlacementAnswer> answer, Diagnostics diagnostics) {
  running_ = false;
  diagnostics_ = std::move(diagnostics);
  if (!diagnostics_.has_errors()) answer_ = std::move(answer);
  Q_EMIT changed();
}

void Placements::cancel() {
  stop_ = true;
}

void Placements::lay(const cli::RankedPlace& ranked) {
  const cli::Place& place = answer_->places.places[ranked.place];
  const auto fabric = answer_->fabrics.find(place.fabric);
  if (fabric == answer_->fabrics.end()) return;
  document_.choose(place.fabric + "/" + ranked.strategy);
  document_.set(fmt::format("fabrics.{}.gpus", fabric->second),
                gpu_list_text(place.gpus, place.one_machine));
}

}  // namespace heddle::gui

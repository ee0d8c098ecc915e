#include "gui/views/details_panel.h"
#include "gui/models/byte_text.h"

#include <QEvent>
#include <cmath>
#include <utility>

#include "gui/models/case_view.h"
#include "gui/models/follow.h"
#include "gui/models/lane_times.h"
#include "gui/models/ticks.h"
#include "gui/models/time_axis.h"
#include "gui/views/fact_list.h"
#include "gui/views/followed_facts.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/quantity_text.h"

namespace heddle::gui {
namespace {

constexpr std::size_t kMostAlive = 14;

QString text(const std::string& s) {
  return QString::fromStdString(s);
}

QString both_units(std::int64_t bytes) {
  return text(format_bytes({bytes}) + " = " + format_bytes_binary({bytes}) + " = " +
              std::to_string(bytes) + " B");
}

Fact memory_fact(const QString& name, std::int64_t bytes, const QColor& swatch = {}) {
  return {name, text(byte_text({bytes})), swatch, both_units(bytes)};
}

/// Short; the tip has the whole.
Fact box_fact(const CaseView& view, const Lane& lane, const LaneBox& box) {
  const schedule::Label& label = view.label(lane, box);
  std::string said = label.name;
  if (label.layer >= 0) said += ", layer " + std::to_string(label.layer);
  if (lane.name == "host") said = to_string(label.phase);
  if (box.paint == Paint::kWait) said = "waits: " + said;
  return {text(lane.name), text(said), theme().paints[static_cast<std::size_t>(box.paint)],
          text(view.title(lane, box) + ", " + view.details(lane, box))};
}

}  // namespace

DetailsPanel::DetailsPanel(TimeAxis& axis, const Pick& pick, QWidget* parent)
    : QScrollArea(parent), axis_(axis), pick_(pick), list_(new FactList(this)) {
  setWidget(list_);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&axis_, &TimeAxis::cursor_changed, this, &DetailsPanel::refresh);
  connect(&axis_, &TimeAxis::selection_changed, this, &DetailsPanel::refresh);
  connect(&pick_, &Pick::changed, this, &DetailsPanel::refresh);
}

void DetailsPanel::set_view(std::shared_ptr<const CaseView> view) {
  view_ = std::move(view);
  refresh();
}

void DetailsPanel::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  refresh();
}

void DetailsPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) refresh();
  QScrollArea::changeEvent(event);
}

void DetailsPanel::refresh() {
  if (!isVisible()) return;
  std::vector<Fact> facts;
  if (view_) {
    add_case(facts);
    if (pick_.followed()) add_followed(facts, *view_, *pick_.followed());
    if (axis_.selection()) add_selection(facts);
    add_moment(facts);
  }
  list_->set_facts(std::move(facts));
}

void DetailsPanel::add_case(std::vector<Fact>& facts) const {
  const run::CaseResult& r = view_->result();
  facts.push_back({text(r.case_id), ""});
  facts.push_back({"step", text(format_duration(r.step_time))});
  facts.push_back({"exposed comm", text(format_duration(r.accounting.exposed_comm))});
  facts.push_back({"MFU", text(cli::percent_text(r.mfu)) + " %"});
  facts.push_back(
      {"needed", text(byte_text(r.memory.needed())), {}, both_units(r.memory.needed().value)});
  facts.push_back({"verdict", text(cli::verdict_text(r.memory.verdict))});
  facts.push_back({"bound by", text(r.bound_by)});
}

void DetailsPanel::add_selection(std::vector<Fact>& facts) const {
  const Span& selection = *axis_.selection();
  facts.push_back({"Selected time", ""});
  facts.push_back({"length", text(format_duration({std::llround(selection.length())}))});
  for (const Lane& lane : view_->lanes()) {
    const std::int64_t busy = busy_time(lane.index, selection);
    facts.push_back({text(lane.group + ", " + lane.name + " busy"),
                     text(cli::percent_text(static_cast<double>(busy) / selection.length())) + " %",
                     {},
                     text(format_duration({busy}))});
  }
}

void DetailsPanel::add_moment(std::vector<Fact>& facts) const {
  const MemoryMoment* moment = view_->memory().peak_held();
  QString title = "At the peak of allocated memory";
  if (axis_.cursor()) {
    const double t = *axis_.cursor();
    title = "At " + text(time_text(t - view_->last_step().begin, view_->last_step().length()));
    moment = view_->memory().at(std::llround(t));
  }
  facts.push_back({title, ""});
  if (axis_.cursor()) {
    for (const Lane& lane : view_->lanes()) {
      const LaneBox* box = lane.index.at(std::llround(*axis_.cursor()), 0);
      facts.push_back(box == nullptr ? Fact{text(lane.name), "idle"}
                                     : box_fact(*view_, lane, *box));
    }
  }
  if (moment == nullptr) return;
  facts.push_back({"Memory in the driver's view", ""});
  for (std::size_t layer = kLayerCount; layer-- > 0;) {
    if (moment->layers[layer] == 0) continue;
    facts.push_back(memory_fact(text(std::string(layer_name(layer))), moment->layers[layer],
                                theme().layers[layer]));
  }
  facts.push_back(memory_fact("total", moment->total));
  facts.push_back({"Alive", ""});
  const auto alive = view_->alive(*moment);
  for (std::size_t i = 0; i < alive.size() && i < kMostAlive; ++i) {
    const auto layer = kFirstCategoryLayer + static_cast<std::size_t>(alive[i].category);
    facts.push_back(memory_fact(text(alive[i].name) + QString(" x%1").arg(alive[i].count),
                                alive[i].bytes.value, theme().layers[layer]));
  }
}

}  // namespace heddle::gui

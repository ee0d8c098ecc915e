#include "validator/cli/lane_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/base/units_text.h"

namespace heddle::validator_cli {
namespace {

using judge::LaneOp;
using judge::LaneSpan;
using judge::ReportLane;
using judge::ReportLanes;

constexpr int kMostRanks = 8;
constexpr double kWidth = 1000;
constexpr double kRow = 14;
constexpr double kGap = 10;
constexpr double kAxis = 20;

struct Colour {
  std::string_view kind;
  std::string_view value;
};
// Told apart by people who do not see red and green (Okabe and Ito).
constexpr std::array kColours{Colour{"gemm", "#0072b2"}, Colour{"attention", "#56b4e9"},
                              Colour{"memory", "#999999"}};
constexpr std::string_view kCollectiveColour = "#e69f00";

std::string_view colour_of(std::string_view kind) {
  const auto found = std::find_if(kColours.begin(), kColours.end(),
                                  [&](const Colour& colour) { return colour.kind == kind; });
  return found == kColours.end() ? kCollectiveColour : found->value;
}

std::string seconds(double value) {
  return format_duration(duration_from_seconds(std::max(0.0, value)));
}

/// The lane that stands for the rank: of those of its stream the last that does not begin after it.
const ReportLane* lane_for(const std::vector<ReportLane>& lanes, int rank,
                           const std::string& stream) {
  const ReportLane* best = nullptr;
  for (const ReportLane& lane : lanes) {
    if (lane.stream == stream && lane.rank <= rank) best = &lane;
  }
  return best;
}

double last_end(const std::vector<ReportLane>& lanes) {
  double last = 0;
  for (const ReportLane& lane : lanes) {
    for (const LaneSpan& span : lane.spans) last = std::max(last, span.end);
  }
  return last;
}

class Drawing {
 public:
  explicit Drawing(const ReportLanes& lanes)
      : lanes_(lanes), length_(std::max(last_end(lanes.predicted), last_end(lanes.measured))) {
    for (const LaneOp& op : lanes.ops) ops_.emplace(op.op, &op);
  }

  std::string draw() {
    if (length_ <= 0) return "";
    for (const ReportLane& measured : lanes_.measured) {
      const bool is_empty = measured.spans.empty();
      if (is_empty || measured.rank >= kMostRanks) continue;
      add_pair(measured);
    }
    add_axis();
    return fmt::format(
        "<svg class=\"lanes\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"100%\" height=\"{1:.0f}\" "
        "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"lanes, predicted above measured\">"
        "{2}</svg>\n",
        kWidth, y_, body_);
  }
  const std::string& labels() const { return labels_; }

 private:
  void add_pair(const ReportLane& measured) {
    const ReportLane* predicted = lane_for(lanes_.predicted, measured.rank, measured.stream);
    labels_ += fmt::format("<div style=\"top:{:.0f}px\">rank {} {}</div>", y_, measured.rank,
                           html_escaped(measured.stream));
    if (predicted != nullptr) add_row(*predicted, "predicted");
    add_row(measured, "measured");
    y_ += kGap;
  }
  void add_row(const ReportLane& lane, std::string_view side) {
    body_ += fmt::format("<g class=\"{}\">", side);
    for (const LaneSpan& span : lane.spans) add_span(span, side);
    body_ += "</g>";
    y_ += kRow;
  }
  void add_span(const LaneSpan& span, std::string_view side) {
    const auto found = ops_.find(span.op);
    const std::string kind = found == ops_.end() ? "op" : found->second->kind;
    const std::string name = found == ops_.end() ? "" : found->second->name;
    const std::string phase = found == ops_.end() ? "" : found->second->phase;
    const double x = kWidth * span.start / length_;
    const double width = std::max(0.2, kWidth * (span.end - span.start) / length_);
    body_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"><title>{} "
        "{}, {}, op {}, {}: {} from {}</title></rect>",
        x, y_, width, kRow - 2, colour_of(kind), html_escaped(kind), html_escaped(name),
        html_escaped(phase), span.op, side, seconds(span.end - span.start), seconds(span.start));
  }
  void add_axis() {
    constexpr int kTicks = 5;
    for (int tick = 0; tick <= kTicks; ++tick) {
      const double share = static_cast<double>(tick) / kTicks;
      body_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"0\" y2=\"{1:.0f}\"/>",
                           kWidth * share, y_);
      labels_ += fmt::format(
          "<span style=\"left:calc(9rem + (100% - 9rem) * {0:.2f});transform:translateX(-{1:.0f}%);"
          "top:{2:.0f}px\">{3}</span>",
          share, 100 * share, y_, seconds(length_ * share));
    }
    y_ += kAxis;
  }

  const ReportLanes& lanes_;
  double length_;
  double y_ = 0;
  std::map<std::int64_t, const LaneOp*> ops_;
  std::string body_;
  std::string labels_;
};

std::string legend() {
  std::string text = "<p class=\"legend\">";
  for (const Colour& colour : kColours) {
    text += fmt::format("<i style=\"background:{}\"></i>{} ", colour.value, colour.kind);
  }
  return text + fmt::format(
                    "<i style=\"background:{}\"></i>collectives. Of each stream the upper "
                    "lane is predicted, the lower measured; last step. Wheel: zoom, drag: "
                    "move, double click: all.</p>\n",
                    kCollectiveColour);
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string lane_drawing(const ReportLanes& lanes) {
  Drawing drawing(lanes);
  const std::string svg = drawing.draw();
  if (svg.empty()) return "";
  std::string text = legend() + "<div class=\"drawing\"><div class=\"labels\">" + drawing.labels() +
                     "</div>" + svg + "</div>\n";
  const bool cut = std::any_of(lanes.measured.begin(), lanes.measured.end(),
                               [](const ReportLane& lane) { return lane.rank >= kMostRanks; });
  if (cut) text += fmt::format("<p>Ranks from {} on are not drawn.</p>\n", kMostRanks);
  return text;
}

}  // namespace heddle::validator_cli

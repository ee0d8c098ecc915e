#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "validator/cli/comparison.h"
#include "validator/cli/lane_drawing.h"

namespace heddle::validator_cli {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Heddle: comparison</title>
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; max-width: 80rem; color: #1a1a1a; background: #fff }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem } td, th { padding: 0.15rem 0.8rem; text-align: right }
td:first-child, th:first-child { text-align: left } tr:nth-child(even) td { background: #f4f4f4 }
.drawing { position: relative } .labels div { position: absolute; width: 8.5rem; white-space: nowrap; font-size: 12px }
.labels span { position: absolute; font-size: 11px } svg.lanes { margin-left: 9rem; width: calc(100% - 9rem); display: block }
svg.lanes line { stroke: #bbb; stroke-width: 0.5; vector-effect: non-scaling-stroke } g.predicted { opacity: 0.6 }
.legend i { display: inline-block; width: 0.9rem; height: 0.9rem; margin: 0 0.3rem 0 0.8rem; vertical-align: middle }
</style></head><body>
<h1>Heddle: comparison</h1>
)";

/// Zooms the drawings by changing what of them is seen; without scripts they are seen whole.
constexpr std::string_view kTail = R"(<script>
for (const svg of document.querySelectorAll("svg.lanes")) {
  const box = svg.viewBox.baseVal, whole = box.width; let held = null;
  const at = e => box.x + box.width * (e.clientX - svg.getBoundingClientRect().left) / svg.clientWidth;
  const show = (x, width) => { box.width = Math.min(whole, width); box.x = Math.max(0, Math.min(whole - box.width, x)); };
  svg.addEventListener("wheel", e => { e.preventDefault(); const point = at(e), by = e.deltaY < 0 ? 0.8 : 1.25;
    show(point - (point - box.x) * by, box.width * by); }, { passive: false });
  svg.addEventListener("pointerdown", e => { held = at(e); svg.setPointerCapture(e.pointerId); });
  svg.addEventListener("pointermove", e => { if (held !== null) show(box.x + held - at(e), box.width); });
  svg.addEventListener("pointerup", () => { held = null; });
  svg.addEventListener("dblclick", () => show(0, whole));
}
</script></body></html>
)";

std::string row(std::string_view name, std::string_view a, std::string_view b,
                std::string_view difference, double error) {
  return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:+.1f}</td></tr>\n",
                     html_escaped(name), a, b, difference, 100 * error);
}

std::string table(const Comparison& c) {
  std::string text = fmt::format(
      "<h2>{} against {}</h2>\n<p>A: {}<br>B: {}</p>\n<table><tr><th></th><th>A</th><th>B</th>"
      "<th>A - B</th><th>A over B, %</th></tr>\n",
      html_escaped(c.a.set.title), html_escaped(c.b.set.title), html_escaped(c.a.file),
      html_escaped(c.b.file));
  for (const judge::QuantityPair& pair : c.pairs) {
    text += row(pair.name, quantity_text(pair.a, pair.unit), quantity_text(pair.b, pair.unit),
                difference_text(pair), pair.error());
  }
  return text + "</table>\n";
}

std::string memory_table(const judge::ReportLanes& lanes) {
  if (lanes.categories.empty()) return "";
  std::string text =
      "<h3>Memory at its peak, by category</h3>\n<table><tr><th></th><th>predicted</th>"
      "<th>measured</th><th>difference</th><th>error, %</th></tr>\n";
  for (const judge::CategoryAtPeak& c : lanes.categories) {
    const judge::QuantityPair pair{c.category, "B", c.predicted, c.measured};
    text += row(c.category, quantity_text(pair.a, "B"), quantity_text(pair.b, "B"),
                difference_text(pair), pair.error());
  }
  return text + "</table>\n";
}

}  // namespace

std::string comparison_page(const std::vector<Comparison>& all,
                            const std::vector<judge::ReportLanes>& lanes) {
  std::string text(kHead);
  for (const judge::ReportLanes& each : lanes) {
    text += fmt::format("<h2>{}: {}</h2>\n", html_escaped(each.title), html_escaped(each.verdict));
    text += lane_drawing(each) + memory_table(each);
  }
  for (const Comparison& c : all) text += table(c);
  return text + std::string(kTail);
}

}  // namespace heddle::validator_cli

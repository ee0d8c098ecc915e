#include "gui/views/followed_facts.h"
#include "gui/models/byte_text.h"

#include <cmath>

#include "gui/models/follow.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"

namespace heddle::gui {
namespace {

constexpr std::size_t kMostBuffers = 6;

QString text(const std::string& s) {
  return QString::fromStdString(s);
}

/// "+1.20 us": when a peer begins, against the one that was picked.
QString later_text(std::int64_t ps) {
  return (ps < 0 ? "-" : "+") + text(format_duration({std::abs(ps)}));
}

}  // namespace

void add_followed(std::vector<Fact>& facts, const CaseView& view, const Followed& followed) {
  const Lane& lane = view.lanes()[followed.of.lane];
  const LaneBox& box = followed.of.box;
  facts.push_back({text(view.title(lane, box)), ""});
  facts.push_back(
      {text(lane.group + ", " + lane.name), text(format_duration({box.end - box.start})),
       theme().paints[static_cast<std::size_t>(box.paint)], text(view.details(lane, box))});
  for (const LaneMark& peer : followed.peers) {
    const Lane& other = view.lanes()[peer.lane];
    facts.push_back({text(other.group + ", " + other.name),
                     later_text(peer.box.start - box.start) + ", " +
                         text(format_duration({peer.box.end - peer.box.start})),
                     theme().paints[static_cast<std::size_t>(peer.box.paint)],
                     "begins against the one picked, and takes"});
  }
  for (const LinkUse& use : followed.links) {
    facts.push_back({text(view.fabric().link_name(use.link)),
                     text(cli::percent_text(use.share)) + " %", theme().load(use.share),
                     "of " + text(format_bandwidth(view.fabric().link(use.link).capacity)) +
                         " per direction, mean while it runs"});
  }
  for (std::size_t i = 0; i < followed.buffers.size() && i < kMostBuffers; ++i) {
    const run::AliveBuffers& buffer = followed.buffers[i];
    const auto layer = kFirstCategoryLayer + static_cast<std::size_t>(buffer.category);
    facts.push_back({text(buffer.name) + QString(" x%1").arg(buffer.count),
                     text(byte_text(buffer.bytes)), theme().layers[layer],
                     text(std::to_string(buffer.bytes.value) + " B")});
  }
}

}  // namespace heddle::gui

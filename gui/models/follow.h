#pragma once
// What belongs to an operation: the same collective on other ranks, the links that it keeps busy
// and the buffers that are alive for it.

#include <QObject>
#include <optional>
#include <vector>

#include "gui/models/case_view.h"
#include "gui/models/op_search.h"

namespace heddle::gui {

struct LinkUse {
  fabric::LinkId link;
  double share = 0;  // of the capacity, mean while it runs
};

struct Followed {
  LaneMark of;
  std::vector<LaneMark> peers;             // in other lanes; none for a kernel
  std::vector<LinkUse> links;              // busiest first; whatever shares them counts, too
  std::vector<run::AliveBuffers> buffers;  // of its kind, largest first
};

/// `of` must be a box of the view's lanes.
Followed follow(const CaseView& view, const LaneMark& of);

/// The operation that was picked, for every view of a case.
class Pick : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  void set(std::optional<Followed> followed);
  const std::optional<Followed>& followed() const { return followed_; }

 Q_SIGNALS:
  void changed();

 private:
  std::optional<Followed> followed_;
};

}  // namespace heddle::gui

#pragma once
// A bundle of links as it is drawn: a line or an arc for either direction.

#include <QPainterPath>
#include <QPointF>

#include "gui/models/fabric_layout.h"

namespace heddle::gui {

struct FabricWire {
  const FabricBundle* bundle = nullptr;
  QPainterPath there;  // from a to b
  QPainterPath back;
  QPointF middle;
};

}  // namespace heddle::gui

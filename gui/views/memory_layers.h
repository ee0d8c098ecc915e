#pragma once
// Memory over time as layers that add up, for every plot of memory.

#include <QRect>
#include <functional>

#include "gui/models/memory_series.h"

class QPainter;

namespace heddle::gui {

struct LayersPlace {
  QRect plot;
  Span range;  // what the plot's width is
  double pixel_ratio = 1;
};

/// Columns that show the same moment are one rectangle per layer. `y_of` turns bytes into a height.
void paint_memory_layers(QPainter& painter, const MemorySeries& memory, const LayersPlace& place,
                         const std::function<double(double bytes)>& y_of);

}  // namespace heddle::gui

#include "gui/views/memory_layers.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/views/theme.h"

namespace heddle::gui {

void paint_memory_layers(QPainter& painter, const MemorySeries& memory, const LayersPlace& place,
                         const std::function<double(double bytes)>& y_of) {
  const double ratio = place.pixel_ratio;
  const auto count =
      static_cast<std::size_t>(std::max(1L, std::lround(place.plot.width() * ratio)));
  const auto columns = memory.columns(place.range, count);
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && columns[end] == columns[begin]) ++end;
    if (columns[begin] != nullptr) {
      const double x = place.plot.x() + static_cast<double>(begin) / ratio;
      const double wide = static_cast<double>(end - begin) / ratio;
      double sum = 0;
      for (std::size_t layer = 0; layer < kLayerCount; ++layer) {
        const auto bytes = static_cast<double>(columns[begin]->layers[layer]);
        if (bytes <= 0) continue;
        const double bottom = y_of(sum);
        sum += bytes;
        const double upper = y_of(sum);
        painter.fillRect(QRectF(x, upper, wide, bottom - upper), theme().layers[layer]);
      }
    }
    begin = end;
  }
}

}  // namespace heddle::gui

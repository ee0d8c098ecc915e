#include "sim/model/compiled_layer.h"

namespace heddle::model {
namespace {

// Guards, autograd function, buffers handed over: in dispatches of an eager operator. Assumed; a
// layer's graph issues some 20 kernels where eager mode dispatches 113 operators.
constexpr int kGraphEntry = 10;

void issue(std::vector<Row>& rows) {
  for (Row& row : rows) row.dispatches = row.kernel.launches;
  rows.front().dispatches += kGraphEntry;
}

}  // namespace

void issue_as_graph(Module& layer) {
  issue(layer.forward);
  issue(layer.backward);
}

}  // namespace heddle::model

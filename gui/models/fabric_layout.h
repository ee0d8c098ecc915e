#pragma once
// Where a machine's devices stand: tiers from the CPUs down to the network, machines side by side,
// so that neighbours in the wiring are neighbours in the picture. Whole machines are one vertex
// each when collapsed.
//
// Units: a slot is the distance of two GPUs, a tier the distance of two rows; y grows downwards.
// Cost: devices + links, and a sort.

#include <cstddef>
#include <vector>

#include "sim/fabric/fabric.h"

namespace heddle::gui {

/// GPUs of one picture beyond which machines start collapsed.
inline constexpr std::size_t kMostGpusExpanded = 64;

struct FabricVertex {
  fabric::DeviceId device;  // invalid: a whole machine
  int node = fabric::kNoNode;
  double x = 0;
  double y = 0;
};

/// All links between two vertices, by direction.
struct FabricBundle {
  std::size_t a = 0;
  std::size_t b = 0;
  std::vector<fabric::LinkId> there;  // from a to b
  std::vector<fabric::LinkId> back;
};

struct MachineFrame {
  int node = 0;
  double left = 0;  // slots, half a slot beyond its outer devices
  double right = 0;
  double top = 0;
  double bottom = 0;
};

struct FabricLayout {
  std::vector<FabricVertex> vertices;
  std::vector<FabricBundle> bundles;
  std::vector<MachineFrame> machines;  // none if collapsed
  double width = 0;                    // slots
  double height = 0;                   // tiers
};

FabricLayout lay_out(const fabric::Fabric& fabric, bool collapsed);

}  // namespace heddle::gui

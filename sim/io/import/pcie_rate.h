#pragma once
// NCCL's PCIe bandwidth: lanes x rate per lane, where the rate per lane in units of 100 Mbit/s is
// 15, 30, 60, 120, 240, 480 for 2.5, 5, 8, 16, 32, 64 GT/s (kvDictPciGen in src/graph/topo.cc).
// So Gen3 x16 carries 12 GB/s per direction, Gen4 24, Gen5 48, Gen6 96.

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::io {

/// PCIe generation of "16.0 GT/s PCIe" or "16 GT/s": 4. None if the text is not such a speed.
std::optional<int> pcie_generation(std::string_view link_speed);

/// Bytes/s per direction; none for an unknown generation or no lanes.
std::optional<std::int64_t> nccl_pcie_bandwidth(std::optional<int> generation, int lanes);

/// The same from a line rate in GB/s, as lstopo prints it (15.753846 is Gen3 x16 or Gen4 x8). NCCL
/// counts 0.75 GB/s for 0.984615 of 128b/130b lines (Gen3 to 5), 6 for 7.5625 of Gen6 and 0.75 of
/// 8b/10b lines (Gen1, 2); which one it is shows in the multiple of the lane rate.
std::optional<std::int64_t> nccl_pcie_bandwidth(double line_gb_per_second);

}  // namespace heddle::io

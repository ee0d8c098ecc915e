#pragma once
// What the NV# of a matrix can mean. NV# counts links of one GPU towards the other's fabric: on a
// mesh or a bridge the links belong to the pair, behind NVSwitch every pair shows all links of the
// GPU and shares them.
//
//   sum of a row's NV# > links of the GPU                        shared: a switch
//   two GPUs that show all links of the GPU, and no others       a bridge or a switch
//   otherwise                                                    dedicated: a mesh or bridges
//
// Source of the rule and of the link counts: NVIDIA data sheets of P100 (4), V100 (6), A800 and
// H800 (8), A100 (12), Hopper and Blackwell (18); GPUs with 4 never had a switch.

#include <span>
#include <string>
#include <vector>

#include "sim/io/import/imported.h"

namespace heddle::io {

enum class NvlinkShape { kNone, kDedicated, kShared, kAmbiguous };
std::string_view to_string(NvlinkShape shape);

struct NvlinkReading {
  NvlinkShape shape = NvlinkShape::kNone;
  int most = 0;                           // largest sum of a row
  int fullest = 0;                        // position of the GPU with that row
  int uniform = 0;                        // NV# that every pair of every island shows; 0: differ
  std::vector<std::vector<int>> islands;  // positions joined by NVLink, those alone left out
  std::string why;                        // one sentence
};

/// NVLinks that a token counts: 18 for "NV18", 0 for what is no NVLink.
int nvlinks_of(const std::optional<std::string>& token);

/// Links a GPU may have where its model is not known.
std::span<const int> known_link_counts();

/// Judged for every GPU that `links_per_gpu` allows: one number where the model is known. Cells
/// that are missing count as no link.
NvlinkReading read_nvlinks(const TokenMatrix& matrix, std::span<const int> links_per_gpu);

}  // namespace heddle::io

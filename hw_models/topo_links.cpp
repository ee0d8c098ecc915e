#include "hw_models/topo_links.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/int128.h"
#include "sim/io/import/pcie_rate.h"

namespace heddle::hw_models {
namespace {

class Checker {
 public:
  Checker(const io::NcclTopo& topo, const std::string& file, Diagnostics& out)
      : topo_(topo), file_(file), out_(out) {}

  std::optional<TopoLinks> told() {
    TopoLinks links{io::count_gpu_links(topo_), io::count_switch_links(topo_)};
    const int before = out_.error_count();
    for (std::size_t a = 0; a < links.pairs.size(); ++a) {
      check_self(a, links.pairs[a][a]);
      for (std::size_t b = 0; b < a; ++b) check_pair(a, b, links.pairs[a][b], links.pairs[b][a]);
    }
    check_c2c();
    if (out_.error_count() != before) return std::nullopt;
    return links;
  }

  std::optional<TopoLinks> untold(const Wiring& wiring) {
    const std::size_t n = topo_.gpus.size();
    const bool fits = wiring.switch_links > 0 || wiring.pair_links.size() == n;
    if (!fits) {
      fail("topo-links-untold", topo_.gpu(0).line,
           fmt::format("the text tells no NVLinks, and the node preset has {} GPUs instead of {}",
                       wiring.pair_links.size(), n),
           "name a node with as many GPUs as \"like\" (--like), or dump the file on the machine "
           "with NCCL_TOPO_DUMP_FILE");
      return std::nullopt;
    }
    TopoLinks links{wiring.pair_links, std::vector<int>(n, wiring.switch_links)};
    if (wiring.switch_links > 0) links.pairs.assign(n, std::vector<int>(n, 0));
    return links;
  }

 private:
  void check_self(std::size_t gpu, int links) {
    if (links == 0) return;
    fail("topo-link-self", topo_.gpu(gpu).line,
         fmt::format("{} links of GPU {} lead to itself: their other end is not told", links,
                     topo_.gpu_number(gpu)),
         "write the bus id of the GPU at the other end of the bridge as target");
  }

  void check_pair(std::size_t a, std::size_t b, int there, int back) {
    if (there == back) return;
    fail("topo-asymmetric", topo_.gpu(a).line,
         fmt::format("GPU {} has {} links to GPU {}, which has {} back", topo_.gpu_number(a), there,
                     topo_.gpu_number(b), back),
         "a link has two ends: correct the count of one of them");
  }

  void check_c2c() {
    for (std::size_t i = 0; i < topo_.gpus.size(); ++i) {
      if (!topo_.gpu(i).gpu) continue;
      for (const io::NcclLink& link : topo_.gpu(i).gpu->links) {
        if (link.kind != io::NcclLinkKind::kC2c || link.mb_per_second > 0) continue;
        fail("topo-c2c", link.line, "<c2c> does not say its bandwidth",
             "NCCL writes bw=\"...\" in MB/s of one link");
      }
    }
  }

  void fail(std::string code, int line, std::string message, std::string hint) {
    out_.error(std::move(code), file_, "", line, std::move(message), std::move(hint));
  }

  const io::NcclTopo& topo_;
  const std::string& file_;
  Diagnostics& out_;
};

}  // namespace

bool TopoLinks::uses_switch() const {
  return std::any_of(to_switch.begin(), to_switch.end(), [](int links) { return links > 0; });
}

std::optional<TopoLinks> topo_links(const io::NcclTopo& topo, const Wiring& untold,
                                    const std::string& file, std::vector<io::Inference>& inferences,
                                    Diagnostics& out) {
  Checker checker(topo, file, out);
  if (topo.gpus.empty()) {
    out.error("topo-no-gpu", file, "", 0, "no device of this text is known to be a GPU",
              "dump the file on the machine with NCCL_TOPO_DUMP_FILE");
    return std::nullopt;
  }
  if (topo.numbered) return checker.told();
  auto links = checker.untold(untold);
  if (links) {
    inferences.push_back({"NVLinks", "those of the node preset",
                          "a text without <gpu> elements does not tell them", topo.gpu(0).line});
  }
  return links;
}

Bandwidth pcie_payload(std::optional<std::int64_t> nccl_bandwidth, const LinkModel& slot) {
  const auto of_slot =
      slot.line_rate ? io::nccl_pcie_bandwidth(slot.line_rate->gb_per_second()) : std::nullopt;
  if (!nccl_bandwidth) return slot.payload_rate;
  if (!of_slot) return Bandwidth{*nccl_bandwidth};
  const Int128 scaled = Int128{slot.payload_rate.bytes_per_second} * *nccl_bandwidth / *of_slot;
  return Bandwidth{static_cast<std::int64_t>(scaled)};
}

}  // namespace heddle::hw_models

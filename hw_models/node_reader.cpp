#include "hw_models/node_reader.h"

#include <fmt/format.h>

#include "hw_models/pair_links_reader.h"
#include "hw_models/quantity.h"
#include "sim/base/nearest_name.h"

namespace heddle::hw_models {
namespace {

class NodeReader {
 public:
  NodeReader(const DataFile& file, Diagnostics& out) : file_(file), out_(out) {}

  std::optional<NodeModel> read() {
    const int before = out_.error_count();
    const auto document = io::JsonDocument::parse(file_.text, file_.path, out_);
    if (!document) return std::nullopt;
    io::ObjectReader object(document->root(), out_);
    const Head head = read_head(object, file_, "heddle.node/1", out_);
    node_.name = head.name;
    node_.summary = head.summary;
    node_.gpu = read_text(object, "gpu", out_);
    node_.gpus = QuantityReader(object, out_).count("gpus", "GPUs", 1);
    if (const auto wiring = object.required("wiring")) read_wiring(*wiring);
    if (const auto host = object.required("host")) read_host(*host);
    node_.comm_name = read_text(object, "comm", out_);
    if (const auto nics = object.optional("nics")) node_.nics = read_nics(*nics, out_);
    if (object.optional("network")) node_.network = read_text(object, "network", out_);
    object.finish();
    if (out_.error_count() != before) return std::nullopt;
    return std::move(node_);
  }

 private:
  void read_wiring(const io::Value& value) {
    static const std::vector<std::string> kKinds = {"pcie", "mesh", "nvswitch", "links"};
    io::ObjectReader wiring(value, out_);
    const std::string kind = read_text(wiring, "kind", out_);
    if (kind == kKinds[1]) node_.wiring = NvlinkWiring::kMesh;
    if (kind == kKinds[2]) node_.wiring = NvlinkWiring::kSwitch;
    if (kind == kKinds[3]) node_.wiring = NvlinkWiring::kLinks;
    if (!kind.empty() && kind != kKinds[0] && node_.wiring == NvlinkWiring::kNone) {
      wiring.optional("kind")->error("unknown-wiring", fmt::format("unknown wiring \"{}\"", kind),
                                     suggest_name(kind, kKinds), out_);
    }
    if (node_.wiring != NvlinkWiring::kNone) {
      node_.nvlink = read_text(wiring, "link", out_);
      node_.links_per_gpu = QuantityReader(wiring, out_).count("links_per_gpu", "links", 1);
    }
    if (node_.wiring == NvlinkWiring::kMesh) read_mesh(wiring);
    if (node_.wiring == NvlinkWiring::kLinks) node_.pairs = read_pair_links(wiring, node_, out_);
    wiring.finish();
  }

  void read_mesh(io::ObjectReader& wiring) {
    node_.links_per_pair = QuantityReader(wiring, out_).count("links_per_pair", "links", 1);
    const auto groups = wiring.required("groups");
    if (!groups) return;
    std::vector<bool> seen(static_cast<std::size_t>(node_.gpus), false);
    for (const io::Value& group : groups->items(out_)) {
      node_.groups.emplace_back();
      for (const io::Value& member : group.items(out_)) read_member(member, seen);
      check_links(group, static_cast<int>(node_.groups.back().size()));
    }
  }

  void read_member(const io::Value& member, std::vector<bool>& seen) {
    const auto number = member.as_integer(0, node_.gpus - 1, out_);
    if (!number) return;
    const auto index = static_cast<std::size_t>(*number);
    if (seen[index]) {
      member.error("duplicate-gpu", fmt::format("GPU {} is in two groups", *number), "", out_);
    }
    seen[index] = true;
    node_.groups.back().push_back(static_cast<int>(*number));
  }

  void check_links(const io::Value& group, int size) {
    const int used = (size - 1) * node_.links_per_pair;
    if (used <= node_.links_per_gpu) return;
    group.error("too-many-links",
                fmt::format("{} links per GPU are used, {} exist", used, node_.links_per_gpu),
                "make the group or links_per_pair smaller", out_);
  }

  void read_host(const io::Value& value) {
    io::ObjectReader host(value, out_);
    QuantityReader quantity(host, out_);
    node_.pcie = read_text(host, "pcie", out_);
    node_.interconnect = read_text(host, "interconnect", out_);
    node_.gpus_per_socket = quantity.count("gpus_per_socket", "GPUs", 1);
    node_.gpus_per_pcie_switch = quantity.count("gpus_per_pcie_switch", "GPUs", 0);
    if (host.optional("sockets_per_host")) {
      node_.sockets_per_host = quantity.count("sockets_per_host", "sockets", 1);
    }
    read_c2c(host);
    host.finish();
  }

  void read_c2c(io::ObjectReader& host) {
    const auto c2c = host.optional("c2c");
    if (!c2c) return;
    node_.c2c = read_text(host, "c2c", out_);
    if (node_.gpus_per_pcie_switch == 0) return;
    c2c->error("conflict", "GPUs hang on their CPU by C2C and below a PCIe switch",
               "set gpus_per_pcie_switch to \"0 GPUs\", or leave out c2c", out_);
  }

  const DataFile& file_;
  Diagnostics& out_;
  NodeModel node_;
};

}  // namespace

std::optional<NodeModel> read_node(const DataFile& file, Diagnostics& out) {
  return NodeReader(file, out).read();
}

}  // namespace heddle::hw_models

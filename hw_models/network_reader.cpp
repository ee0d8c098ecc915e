#include "hw_models/network_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/base/nearest_name.h"

namespace heddle::hw_models {
namespace {

bool read_flag(io::ObjectReader& object, std::string_view key, Diagnostics& out) {
  const auto value = object.required(key);
  return value && value->as_bool(out).value_or(false);
}

class NetworkReader {
 public:
  NetworkReader(const DataFile& file, Diagnostics& out) : file_(file), out_(out) {}

  std::optional<NetworkModel> read() {
    const int before = out_.error_count();
    const auto document = io::JsonDocument::parse(file_.text, file_.path, out_);
    if (!document) return std::nullopt;
    io::ObjectReader object(document->root(), out_);
    const Head head = read_head(object, file_, "heddle.network/1", out_);
    network_.name = head.name;
    network_.summary = head.summary;
    if (const auto shape = object.required("shape")) read_shape(*shape);
    if (const auto nics = object.optional("nic")) network_.nics = read_nics(*nics, out_);
    if (const auto transport = object.required("transport")) read_transport(*transport);
    object.finish();
    if (out_.error_count() != before) return std::nullopt;
    return std::move(network_);
  }

 private:
  void read_shape(const io::Value& value) {
    static const std::vector<std::string> kKinds = {"single-switch", "rail-optimised", "fat-tree"};
    io::ObjectReader shape(value, out_);
    const std::string kind = read_text(shape, "kind", out_);
    const auto known = std::find(kKinds.begin(), kKinds.end(), kind);
    if (known == kKinds.end()) {
      if (kind.empty()) return;
      shape.optional("kind")->error("unknown-shape", fmt::format("unknown shape \"{}\"", kind),
                                    suggest_name(kind, kKinds), out_);
      return;
    }
    network_.shape = static_cast<NetworkShape>(known - kKinds.begin());
    if (network_.shape == NetworkShape::kRailOptimised) read_rails(shape);
    if (network_.shape == NetworkShape::kFatTree) read_tree(shape);
    shape.finish();
  }

  void read_rails(io::ObjectReader& shape) {
    QuantityReader quantity(shape, out_);
    network_.nodes_per_leaf = quantity.count("nodes_per_pod", "nodes", 1);
    network_.oversubscription = quantity.ratio("oversubscription");
  }

  void read_tree(io::ObjectReader& shape) {
    QuantityReader quantity(shape, out_);
    network_.tiers = quantity.count("tiers", "tiers", 2);
    if (network_.tiers > 3) {
      shape.optional("tiers")->error("bad-count", "a fat tree has 2 or 3 tiers", "", out_);
    }
    network_.nodes_per_leaf = quantity.count("nodes_per_leaf", "nodes", 1);
    if (network_.tiers == 3) {
      network_.leaves_per_pod = quantity.count("leaves_per_pod", "leaves", 1);
    }
    network_.oversubscription = quantity.ratio("oversubscription");
  }

  void read_transport(const io::Value& value) {
    io::ObjectReader fields(value, out_);
    QuantityReader quantity(fields, out_);
    fabric::NetworkTransport& transport = network_.transport;
    transport.efficiency = quantity.share("efficiency");
    transport.latency = quantity.duration("latency");
    fabric::CommSigmas& sigma = network_.sigma;
    sigma.network = quantity.sigma("efficiency", sigma.network);
    sigma.network_latency = quantity.sigma("latency", sigma.network_latency);
    transport.gpu_direct = read_flag(fields, "gpu_direct", out_);
    transport.sockets = read_flag(fields, "sockets", out_);
    transport.per_nic_cap = quantity.optional_bandwidth("per_nic_cap").value_or(Bandwidth{});
    fields.finish();
  }

  const DataFile& file_;
  Diagnostics& out_;
  NetworkModel network_;
};

}  // namespace

std::optional<NetworkModel> read_network(const DataFile& file, Diagnostics& out) {
  return NetworkReader(file, out).read();
}

}  // namespace heddle::hw_models

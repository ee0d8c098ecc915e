#include "hw_models/nccl_reader.h"

#include <string>

#include "hw_models/nccl_algorithms.h"
#include "hw_models/quantity.h"
#include "hw_models/quantity_list.h"

namespace heddle::hw_models {
namespace {

using collective::NcclTuning;
using collective::NcclVersion;

NcclVersion version_of(const io::Value& value, Diagnostics& out) {
  const auto text = value.as_string(out);
  if (!text) return {};
  if (const auto version = NcclVersion::parse(*text)) return *version;
  value.error("bad-version", "\"" + *text + "\" is not a version of NCCL",
              "write it like \"2.24\" or \"2.24.3\"", out);
  return {};
}

collective::NcclVersionRange read_versions(io::ObjectReader& object, Diagnostics& out) {
  collective::NcclVersionRange range;
  if (const auto since = object.required("since")) range.since = version_of(*since, out);
  const auto until = object.optional("until");
  if (!until) return range;
  range.until = version_of(*until, out);
  if (*range.until <= range.since) {
    until->error("bad-order", "\"until\" is not above \"since\"",
                 "\"until\" is the first version that the file does not cover", out);
  }
  return range;
}

void read_rings(NcclTuning& tuning, io::ObjectReader& object, Diagnostics& out) {
  QuantityReader quantity(object, out);
  QuantityListReader lists(object, out);
  tuning.ring_speeds = lists.falling_speeds("ring_speeds");
  tuning.split_from = quantity.bandwidth("split_from");
  tuning.split_always = quantity.bandwidth("split_always");
  tuning.split_rings_max = quantity.count("split_rings_max", "rings", 0);
  tuning.max_ctas = quantity.count("max_ctas", "CTAs", 1);
  tuning.ring_base = lists.durations<3>("ring_base");
  tuning.ring_nvlink_hop = lists.durations<3>("ring_nvlink_hop");
  tuning.ring_pcie_hop = lists.durations<3>("ring_pcie_hop");
}

void read_protocols(NcclTuning& tuning, io::ObjectReader& object, Diagnostics& out) {
  QuantityReader quantity(object, out);
  tuning.ll_efficiency = quantity.share("ll_efficiency");
  tuning.ll128_efficiency = quantity.share("ll128_efficiency");
  tuning.ll_bus_cap = quantity.bandwidth("ll_bus_cap");
  tuning.ll128_channel_cap = quantity.bandwidth("ll128_channel_cap");
}

collective::NetworkTuning read_network(io::ObjectReader& object, Diagnostics& out) {
  collective::NetworkTuning network;
  const auto value = object.required("network");
  if (!value) return network;
  io::ObjectReader fields(*value, out);
  QuantityReader quantity(fields, out);
  QuantityListReader lists(fields, out);
  network.ring_speeds = lists.falling_speeds("ring_speeds");
  network.ring_hop = lists.durations<3>("ring_hop");
  network.ll_bus_cap_intel = lists.bandwidths<3>("ll_bus_cap_intel");
  network.ll_bus_cap_amd = lists.bandwidths<3>("ll_bus_cap_amd");
  network.post_intel = quantity.duration("post_intel");
  network.post_amd = quantity.duration("post_amd");
  network.large_ring_factor = lists.factor("large_ring_factor");
  network.large_ring_from = quantity.bytes("large_ring_from");
  if (const auto through = fields.required("ll128_through_peer_nic")) {
    network.ll128_through_peer_nic = through->as_bool(out).value_or(false);
  }
  fields.finish();
  return network;
}

}  // namespace

std::optional<NcclTuning> read_nccl(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  NcclTuning tuning;
  tuning.name = read_head(object, file, "heddle.nccl/2", out).name;
  tuning.versions = read_versions(object, out);
  read_rings(tuning, object, out);
  read_protocols(tuning, object, out);
  tuning.network = read_network(object, out);
  tuning.tree = read_tree(object, out);
  tuning.nvls = read_nvls(object, out);
  tuning.nvls_tree = read_nvls_tree(object, out);
  tuning.pat = read_pat(object, out);
  tuning.timing = read_timing(object, out);
  object.finish();
  if (out.error_count() != before) return std::nullopt;
  return tuning;
}

}  // namespace heddle::hw_models

#include "hw_models/nccl_algorithms.h"

#include "hw_models/quantity.h"
#include "hw_models/quantity_list.h"

namespace heddle::hw_models {
namespace {

collective::PathTiming read_path(io::ObjectReader& timing, std::string_view key, Diagnostics& out) {
  collective::PathTiming path;
  const auto value = timing.required(key);
  if (!value) return path;
  io::ObjectReader fields(*value, out);
  path.latency_factor = QuantityListReader(fields, out).factors<3>("latency_factor");
  QuantityReader quantity(fields, out);
  path.sync = quantity.duration("sync");
  path.sync_until = quantity.duration("sync_until");
  fields.finish();
  return path;
}

collective::PerProtocol<collective::PerSize> read_size_share(io::ObjectReader& tree,
                                                             Diagnostics& out) {
  collective::PerProtocol<collective::PerSize> shares{};
  const auto value = tree.required("size_share");
  if (!value) return shares;
  io::ObjectReader fields(*value, out);
  QuantityListReader lists(fields, out);
  std::size_t protocol = 0;
  for (const char* key : {"ll", "ll128", "simple"}) {
    shares[protocol++] = lists.shares<collective::kSizeClasses>(key);
  }
  fields.finish();
  return shares;
}

}  // namespace

collective::TreeTuning read_tree(io::ObjectReader& object, Diagnostics& out) {
  collective::TreeTuning tree;
  const auto value = object.required("tree");
  if (!value) return tree;
  io::ObjectReader fields(*value, out);
  QuantityListReader lists(fields, out);
  QuantityReader quantity(fields, out);
  tree.base = lists.durations<3>("base");
  tree.nvlink_hop = lists.durations<3>("nvlink_hop");
  tree.pcie_hop = lists.durations<3>("pcie_hop");
  tree.network_hop = lists.durations<3>("network_hop");
  tree.efficiency = quantity.share("efficiency");
  tree.channel_cap = lists.bandwidths<3>("channel_cap");
  tree.ll128_channel_cap = lists.bandwidths<3>("ll128_channel_cap");
  tree.ll_efficiency = quantity.share("ll_efficiency");
  tree.ll128_share_inside = quantity.share("ll128_share_inside");
  tree.ll128_share_across = quantity.share("ll128_share_across");
  tree.plain_share = quantity.share("plain_share");
  tree.size_share = read_size_share(fields, out);
  fields.finish();
  return tree;
}

std::optional<collective::NvlsTuning> read_nvls(io::ObjectReader& object, Diagnostics& out) {
  const auto value = object.optional("nvls");
  if (!value) return std::nullopt;
  io::ObjectReader fields(*value, out);
  QuantityReader quantity(fields, out);
  collective::NvlsTuning nvls{quantity.duration("latency"), quantity.share("efficiency"),
                              quantity.count("ctas", "CTAs", 1)};
  nvls.payload_share = quantity.optional_share("payload_share");
  fields.finish();
  return nvls;
}

std::optional<collective::NvlsTreeTuning> read_nvls_tree(io::ObjectReader& object,
                                                         Diagnostics& out) {
  const auto value = object.optional("nvls_tree");
  if (!value) return std::nullopt;
  io::ObjectReader fields(*value, out);
  QuantityReader quantity(fields, out);
  QuantityListReader lists(fields, out);
  collective::NvlsTreeTuning tree;
  tree.latency = quantity.duration("latency");
  tree.network_hop = quantity.duration("network_hop");
  tree.speed_share_two = lists.factor("speed_share_two");
  tree.speed_share_more = lists.factor("speed_share_more");
  if (fields.object().member("channel_cap")) {
    tree.channel_cap = lists.bandwidths<3>("channel_cap");
  }
  fields.finish();
  return tree;
}

std::optional<collective::PatTuning> read_pat(io::ObjectReader& object, Diagnostics& out) {
  const auto value = object.optional("pat");
  if (!value) return std::nullopt;
  io::ObjectReader fields(*value, out);
  QuantityReader quantity(fields, out);
  const collective::PatTuning pat{quantity.duration("base"), quantity.duration("network_hop"),
                                  quantity.duration("per_rank"), quantity.share("efficiency")};
  fields.finish();
  return pat;
}

collective::TimingTuning read_timing(io::ObjectReader& object, Diagnostics& out) {
  collective::TimingTuning timing;
  const auto value = object.required("timing");
  if (!value) return timing;
  io::ObjectReader fields(*value, out);
  timing.base_factor = QuantityListReader(fields, out).factor("base_factor");
  timing.nvlink = read_path(fields, "nvlink", out);
  timing.nvls = read_path(fields, "nvls", out);
  timing.pcie = read_path(fields, "pcie", out);
  timing.network = read_path(fields, "network", out);
  fields.finish();
  return timing;
}

}  // namespace heddle::hw_models

#include "hw_models/nccl_reader.h"

#include <vector>

#include "hw_models/origin.h"
#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

using collective::NcclTuning;

/// A quantity whose value is a list, highest first.
std::vector<Bandwidth> read_speeds(io::ObjectReader& object, Diagnostics& out) {
  std::vector<Bandwidth> speeds;
  const auto quantity = object.required("ring_speeds");
  if (!quantity) return speeds;
  io::ObjectReader fields(*quantity, out);
  const auto list = fields.required("value");
  check_origin(fields, out);
  fields.finish();
  if (!list) return speeds;
  for (const io::Value& item : list->items(out)) {
    const Bandwidth speed = item.as_bandwidth(out).value_or(Bandwidth{1});
    if (speed.bytes_per_second <= 0 || (!speeds.empty() && speed >= speeds.back())) {
      item.error("bad-order", "candidate speeds must be positive and fall", "", out);
    }
    speeds.push_back(speed);
  }
  if (speeds.empty()) list->error("empty", "no candidate speed", "", out);
  return speeds;
}

collective::ProtocolLatency read_latency(io::ObjectReader& object, std::string_view key,
                                         Diagnostics& out) {
  const auto value = object.required(key);
  if (!value) return {};
  io::ObjectReader fields(*value, out);
  QuantityReader quantity(fields, out);
  const collective::ProtocolLatency latency{quantity.duration("ll"), quantity.duration("ll128"),
                                            quantity.duration("simple")};
  fields.finish();
  return latency;
}

std::optional<collective::NvlsTuning> read_nvls(io::ObjectReader& object, Diagnostics& out) {
  const auto value = object.optional("nvls");
  if (!value) return std::nullopt;
  io::ObjectReader fields(*value, out);
  QuantityReader quantity(fields, out);
  const collective::NvlsTuning nvls{quantity.duration("latency"), quantity.share("efficiency"),
                                    quantity.count("ctas", "CTAs", 1)};
  fields.finish();
  return nvls;
}

void read_rings(NcclTuning& tuning, io::ObjectReader& object, Diagnostics& out) {
  QuantityReader quantity(object, out);
  tuning.ring_speeds = read_speeds(object, out);
  tuning.split_from = quantity.bandwidth("split_from");
  tuning.split_always = quantity.bandwidth("split_always");
  tuning.split_rings_max = quantity.count("split_rings_max", "rings", 0);
  tuning.max_ctas = quantity.count("max_ctas", "CTAs", 1);
  tuning.ring_base = read_latency(object, "ring_base", out);
  tuning.ring_nvlink_hop = read_latency(object, "ring_nvlink_hop", out);
  tuning.ring_pcie_hop = read_latency(object, "ring_pcie_hop", out);
}

void read_protocols(NcclTuning& tuning, io::ObjectReader& object, Diagnostics& out) {
  QuantityReader quantity(object, out);
  tuning.ll_efficiency = quantity.share("ll_efficiency");
  tuning.ll128_efficiency = quantity.share("ll128_efficiency");
  tuning.ll_bus_cap = quantity.bandwidth("ll_bus_cap");
  tuning.ll128_channel_cap = quantity.bandwidth("ll128_channel_cap");
}

}  // namespace

std::optional<NcclTuning> read_nccl(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  NcclTuning tuning;
  tuning.name = read_head(object, file, "heddle.nccl/1", out).name;
  read_rings(tuning, object, out);
  read_protocols(tuning, object, out);
  tuning.nvls = read_nvls(object, out);
  object.finish();
  if (out.error_count() != before) return std::nullopt;
  return tuning;
}

}  // namespace heddle::hw_models

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "sim/base/nearest_name.h"
#include "sim/fabric/fabric_builder.h"
#include "sim/io/fabric_file.h"
#include "sim/io/fabric_words.h"
#include "sim/io/json_document.h"
#include "sim/io/scenario_fields.h"

namespace heddle::io {
namespace {

constexpr std::int64_t kMost = 100'000;  // of nodes, sockets, lanes: beyond any machine

class FileReader {
 public:
  FileReader(const std::string& file, Diagnostics& out)
      : file_(file), out_(out), before_(out.error_count()) {}

  std::optional<FabricFile> read(const JsonDocument& document) {
    ScenarioFields fields(document.root(), out_);
    check_schema(fields);
    const std::string name = fields.text("name");
    description_ = fields.text_or("description", "");
    fabric::FabricBuilder builder(name, fields.text("gpu"));
    each(fields, "origins", [this](const Value& v) { read_origin(v); });
    each(fields, "devices", [&](const Value& v) { read_device(v, builder); });
    each(fields, "links", [&](const Value& v) { read_link(v, builder); });
    if (const auto comm = fields.required("comm")) read_comm(*comm, builder);
    each(fields, "inferences", [this](const Value& v) { read_inference(v); });
    fields.finish();
    if (out_.error_count() != before_) return std::nullopt;
    auto fabric = std::move(builder).freeze(file_, out_);
    if (!fabric) return std::nullopt;
    return FabricFile{std::move(*fabric),       std::move(description_), std::move(origins_),
                      std::move(link_origins_), std::move(comm_origin_), std::move(inferences_)};
  }

 private:
  template <typename Read>
  void each(ScenarioFields& fields, std::string_view key, Read read) {
    const auto list = fields.required(key);
    if (!list) return;
    for (const Value& item : list->items(out_)) read(item);
  }

  void check_schema(ScenarioFields& fields) {
    const std::string schema = fields.text("schema");
    if (schema.empty() || schema == kFabricSchema) return;
    fields.object().member("schema")->error(
        "unknown-schema", fmt::format("\"{}\" is not a fabric file", schema),
        fmt::format("this program reads \"{}\"", kFabricSchema), out_);
  }

  int number(ScenarioFields& fields, std::string_view key, std::int64_t low,
             std::int64_t high = kMost) {
    return static_cast<int>(fields.integer(key, low, high));
  }

  void read_origin(const Value& value) {
    ScenarioFields fields(value, out_);
    FileOrigin origin{fields.text("id"), fields.text("kind"), fields.text("source"),
                      fields.text_or("date", ""), fields.text_or("sigma", "")};
    fields.finish();
    origins_.push_back(std::move(origin));
  }

  /// An id of `origins`.
  std::string origin_of(ScenarioFields& fields) {
    const std::string id = fields.text("origin");
    if (id.empty() || std::any_of(origins_.begin(), origins_.end(),
                                  [&id](const FileOrigin& origin) { return origin.id == id; })) {
      return id;
    }
    std::vector<std::string> known;
    for (const FileOrigin& origin : origins_) known.push_back(origin.id);
    fields.object().member("origin")->error("unknown-origin",
                                            fmt::format("no origin has the id \"{}\"", id),
                                            suggest_name(id, known), out_);
    return id;
  }

  void read_device(const Value& value, fabric::FabricBuilder& builder) {
    ScenarioFields fields(value, out_);
    fabric::Device device;
    device.name = fields.text("name");
    device.kind = fields.word("kind", device_kinds());
    device.node = number(fields, "node", -1);
    device.socket = number(fields, "socket", 0);
    device.index = number(fields, "index", 0);
    fields.finish();
    const std::string name = device.name;
    devices_.emplace(name, builder.add_device(std::move(device)));
  }

  fabric::DeviceId end_of(ScenarioFields& fields, std::string_view key) {
    const std::string name = fields.text(key);
    const auto found = devices_.find(name);
    if (found != devices_.end()) return found->second;
    if (!name.empty()) {
      std::vector<std::string> known;
      for (const auto& [device, id] : devices_) known.push_back(device);
      fields.object().member(key)->error("unknown-device",
                                         fmt::format("no device is called \"{}\"", name),
                                         suggest_name(name, known), out_);
    }
    return fabric::DeviceId(0);
  }

  Bandwidth bandwidth(ScenarioFields& fields, std::string_view key) {
    const auto value = fields.required(key);
    return value ? value->as_bandwidth(out_).value_or(Bandwidth{}) : Bandwidth{};
  }

  Duration duration(ScenarioFields& fields, std::string_view key) {
    const auto value = fields.required(key);
    return value ? value->as_duration(out_).value_or(Duration{}) : Duration{};
  }

  void read_link(const Value& value, fabric::FabricBuilder& builder) {
    ScenarioFields fields(value, out_);
    fabric::Link link;
    link.from = end_of(fields, "from");
    link.to = end_of(fields, "to");
    link.kind = fields.word("kind", link_kinds());
    link.capacity = bandwidth(fields, "capacity");
    link.latency = duration(fields, "latency");
    link.lanes = number(fields, "lanes", 1);
    link_origins_.push_back(origin_of(fields));
    fields.finish();
    builder.add_link(link);
  }

  /// Above 0, at most 1.
  double share(ScenarioFields& fields, std::string_view key) {
    const auto value = fields.required(key);
    constexpr double kLeast = 1e-6;
    return value ? value->as_number(kLeast, 1, out_).value_or(1) : 1;
  }

  void read_comm(const Value& value, fabric::FabricBuilder& builder) {
    ScenarioFields fields(value, out_);
    fabric::CommParameters comm;
    comm_origin_ = origin_of(fields);
    comm.ring_efficiency = share(fields, "ring_efficiency");
    if (fields.optional("nvls_efficiency")) {
      comm.nvls_efficiency = share(fields, "nvls_efficiency");
    }
    comm.pcie_ring_efficiency = share(fields, "pcie_ring_efficiency");
    if (const auto network = fields.optional("network")) comm.network = read_network(*network);
    if (const auto host = fields.optional("host_staging")) comm.host_staging = read_staging(*host);
    fields.finish();
    builder.set_comm(comm);
  }

  fabric::NetworkTransport read_network(const Value& value) {
    ScenarioFields fields(value, out_);
    fabric::NetworkTransport network;
    network.efficiency = share(fields, "efficiency");
    network.latency = duration(fields, "latency");
    network.gpu_direct = fields.flag_or("gpu_direct", true);
    network.sockets = fields.flag_or("sockets", false);
    if (fields.optional("per_nic_cap")) network.per_nic_cap = bandwidth(fields, "per_nic_cap");
    fields.finish();
    return network;
  }

  fabric::HostStaging read_staging(const Value& value) {
    ScenarioFields fields(value, out_);
    fabric::HostStaging staging;
    staging.ctas = number(fields, "ctas", 1);
    staging.per_cta_same_socket = bandwidth(fields, "per_cta_same_socket");
    staging.per_cta_cross_socket = bandwidth(fields, "per_cta_cross_socket");
    fields.finish();
    return staging;
  }

  void read_inference(const Value& value) {
    ScenarioFields fields(value, out_);
    inferences_.push_back({fields.text("what"), fields.text("value"), fields.text("from"),
                           number(fields, "line", 0, std::numeric_limits<int>::max())});
    fields.finish();
  }

  const std::string& file_;
  Diagnostics& out_;
  int before_;
  std::map<std::string, fabric::DeviceId> devices_;
  std::string description_;
  std::vector<FileOrigin> origins_;
  std::vector<std::string> link_origins_;
  std::string comm_origin_;
  std::vector<Inference> inferences_;
};

}  // namespace

std::optional<FabricFile> read_fabric_file(std::string_view text, const std::string& file,
                                           Diagnostics& out) {
  const auto document = JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  return FileReader(file, out).read(*document);
}

}  // namespace heddle::io

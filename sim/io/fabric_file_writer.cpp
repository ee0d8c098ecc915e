#include "sim/io/exact_text.h"
#include "sim/io/fabric_file.h"
#include "sim/io/fabric_words.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

using fabric::CommParameters;
using fabric::Fabric;

void write_origins(const FabricFile& file, JsonWriter& w) {
  w.key("origins").begin_array();
  for (const FileOrigin& o : file.origins) {
    w.begin_object().inline_from_here();
    w.field("id", o.id).field("kind", o.kind).field("source", o.source);
    if (!o.date.empty()) w.field("date", o.date);
    if (!o.sigma.empty()) w.field("sigma", o.sigma);
    w.end_object();
  }
  w.end_array();
}

void write_devices(const Fabric& fabric, JsonWriter& w) {
  w.key("devices").begin_array();
  for (const fabric::Device& d : fabric.devices()) {
    w.begin_object().inline_from_here();
    w.field("name", d.name).field("kind", device_kinds().name_of(d.kind));
    w.field("node", d.node).field("socket", d.socket).field("index", d.index).end_object();
  }
  w.end_array();
}

void write_links(const FabricFile& file, JsonWriter& w) {
  const Fabric& fabric = file.fabric;
  w.key("links").begin_array();
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    const fabric::Link& link = fabric.links()[i];
    w.begin_object().inline_from_here();
    w.field("from", fabric.device(link.from).name).field("to", fabric.device(link.to).name);
    w.field("kind", link_kinds().name_of(link.kind));
    w.field("capacity", exact_text(link.capacity)).field("latency", exact_decimal(link.latency));
    w.field("lanes", link.lanes).field("origin", file.link_origins[i]).end_object();
  }
  w.end_array();
}

void write_network(const fabric::NetworkTransport& network, JsonWriter& w) {
  w.key("network").begin_object().field("efficiency", network.efficiency);
  w.field("latency", exact_decimal(network.latency)).field("gpu_direct", network.gpu_direct);
  w.field("sockets", network.sockets);
  if (network.per_nic_cap.bytes_per_second > 0) {
    w.field("per_nic_cap", exact_text(network.per_nic_cap));
  }
  w.end_object();
}

void write_comm(const FabricFile& file, JsonWriter& w) {
  const CommParameters& comm = file.fabric.comm();
  w.key("comm").begin_object().field("origin", file.comm_origin);
  w.field("ring_efficiency", comm.ring_efficiency);
  if (comm.nvls_efficiency) w.field("nvls_efficiency", *comm.nvls_efficiency);
  w.field("pcie_ring_efficiency", comm.pcie_ring_efficiency);
  if (comm.network) write_network(*comm.network, w);
  if (comm.host_staging.ctas > 0) {
    w.key("host_staging").begin_object().field("ctas", comm.host_staging.ctas);
    w.field("per_cta_same_socket", exact_text(comm.host_staging.per_cta_same_socket));
    w.field("per_cta_cross_socket", exact_text(comm.host_staging.per_cta_cross_socket));
    w.end_object();
  }
  w.end_object();
}

void write_inferences(const FabricFile& file, JsonWriter& w) {
  w.key("inferences").begin_array();
  for (const Inference& i : file.inferences) {
    w.begin_object().inline_from_here();
    w.field("what", i.what).field("value", i.value).field("from", i.from);
    w.field("line", i.line).end_object();
  }
  w.end_array();
}

}  // namespace

std::string write_fabric_file(const FabricFile& file) {
  JsonWriter w;
  w.begin_object().field("schema", kFabricSchema).field("name", file.fabric.name());
  w.field("description", file.description).field("gpu", file.fabric.gpu_model());
  write_origins(file, w);
  write_devices(file.fabric, w);
  write_links(file, w);
  write_comm(file, w);
  write_inferences(file, w);
  return w.end_object().take();
}

}  // namespace heddle::io

#include "hw_models/comm_reader.h"

#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

void read_staging(const io::Value& value, fabric::HostStaging& staging, Diagnostics& out) {
  io::ObjectReader object(value, out);
  QuantityReader quantity(object, out);
  staging.ctas = quantity.count("ctas", "CTAs", 1);
  staging.per_cta_same_socket = quantity.bandwidth("per_cta_same_socket");
  staging.per_cta_cross_socket = quantity.bandwidth("per_cta_cross_socket");
  object.finish();
}

}  // namespace

std::optional<CommFile> read_comm(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  QuantityReader quantity(object, out);
  CommFile read;
  read.summary = read_head(object, file, "heddle.comm/1", out).summary;
  read.comm.ring_efficiency = quantity.share("ring_efficiency");
  read.comm.nvls_efficiency = quantity.optional_share("nvls_efficiency");
  read.comm.pcie_ring_efficiency = quantity.share("pcie_ring_efficiency");
  if (const auto staging = object.required("host_staging")) {
    read_staging(*staging, read.comm.host_staging, out);
  }
  object.finish();
  return out.error_count() == before ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace heddle::hw_models

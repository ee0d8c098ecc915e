#include "hw_models/comm_reader.h"

#include <algorithm>

#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

/// Of the two rates the less certain one: which of them decides is the wiring's.
void read_staging(const io::Value& value, fabric::CommParameters& comm, Diagnostics& out) {
  fabric::HostStaging& staging = comm.host_staging;
  io::ObjectReader object(value, out);
  QuantityReader quantity(object, out);
  staging.ctas = quantity.count("ctas", "CTAs", 1);
  staging.per_cta_same_socket = quantity.bandwidth("per_cta_same_socket");
  staging.per_cta_cross_socket = quantity.bandwidth("per_cta_cross_socket");
  comm.sigma.host_staging =
      std::max(quantity.sigma("per_cta_same_socket", 0), quantity.sigma("per_cta_cross_socket", 0));
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
  fabric::CommSigmas& sigma = read.comm.sigma;
  read.comm.ring_efficiency = quantity.share("ring_efficiency");
  sigma.ring = quantity.sigma("ring_efficiency", sigma.ring);
  sigma.nvls = quantity.sigma("nvls_efficiency", sigma.nvls);
  sigma.pcie_ring = quantity.sigma("pcie_ring_efficiency", sigma.pcie_ring);
  read.comm.nvls_efficiency = quantity.optional_share("nvls_efficiency");
  read.comm.pcie_ring_efficiency = quantity.share("pcie_ring_efficiency");
  if (const auto staging = object.required("host_staging")) {
    read_staging(*staging, read.comm, out);
  }
  object.finish();
  return out.error_count() == before ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace heddle::hw_models

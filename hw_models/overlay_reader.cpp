#include "hw_models/overlay.h"
#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

class OverlayReader {
 public:
  OverlayReader(CommOverlay& comm, Diagnostics& out) : comm_(comm), out_(out) {}

  void read_comm(const io::Value& value) {
    io::ObjectReader object(value, out_);
    QuantityReader quantity(object, out_);
    comm_.ring_efficiency =
        found(object, "ring_efficiency", quantity.sourced_share("ring_efficiency"));
    comm_.nvls_efficiency =
        found(object, "nvls_efficiency", quantity.sourced_share("nvls_efficiency"));
    comm_.pcie_ring_efficiency =
        found(object, "pcie_ring_efficiency", quantity.sourced_share("pcie_ring_efficiency"));
    if (const auto staging = object.optional("host_staging")) read_staging(*staging);
    if (const auto network = object.optional("network")) read_network(*network);
    object.finish();
  }

 private:
  void read_staging(const io::Value& value) {
    io::ObjectReader object(value, out_);
    QuantityReader quantity(object, out_);
    comm_.staging_ctas = found(object, "ctas", quantity.sourced_count("ctas", "CTAs", 1));
    comm_.staging_per_cta_same_socket =
        found(object, "per_cta_same_socket", quantity.sourced_bandwidth("per_cta_same_socket"));
    comm_.staging_per_cta_cross_socket =
        found(object, "per_cta_cross_socket", quantity.sourced_bandwidth("per_cta_cross_socket"));
    object.finish();
  }

  void read_network(const io::Value& value) {
    io::ObjectReader object(value, out_);
    QuantityReader quantity(object, out_);
    comm_.network_efficiency = found(object, "efficiency", quantity.sourced_share("efficiency"));
    comm_.network_latency = found(object, "latency", quantity.sourced_duration("latency"));
    object.finish();
  }

  /// An overlay exists to say what was found on a machine; assumptions belong into comm/.
  template <typename T>
  std::optional<Sourced<T>> found(io::ObjectReader& object, std::string_view key,
                                  std::optional<Sourced<T>> value) {
    if (!value || value->origin.kind == "measured" || value->origin.kind == "calibrated") {
      return value;
    }
    object.optional(key)->member("kind")->error(
        "wrong-kind", "an overlay holds no " + value->origin.kind + " values",
        "write \"measured\" or \"calibrated\", or leave the prior of the machine's kind", out_);
    return std::nullopt;
  }

  CommOverlay& comm_;
  Diagnostics& out_;
};

}  // namespace

std::optional<Overlay> read_overlay(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  const Head head = read_head(object, file, "heddle.overlay/1", out);
  Overlay overlay{head.name, head.summary, {}};
  if (const auto comm = object.required("comm")) OverlayReader(overlay.comm, out).read_comm(*comm);
  object.finish();
  return out.error_count() == before ? std::optional(std::move(overlay)) : std::nullopt;
}

}  // namespace heddle::hw_models

#include "hw_models/link_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hw_models/quantity.h"
#include "sim/base/nearest_name.h"

namespace heddle::hw_models {
namespace {

fabric::LinkKind read_kind(io::ObjectReader& object, Diagnostics& out) {
  // In the order of fabric::LinkKind.
  static const std::vector<std::string> kNames = {"nvlink", "pcie", "cpu-interconnect", "network",
                                                  "c2c"};
  const std::string text = read_text(object, "kind", out);
  const auto known = std::find(kNames.begin(), kNames.end(), text);
  if (known != kNames.end()) return static_cast<fabric::LinkKind>(known - kNames.begin());
  if (!text.empty()) {
    object.optional("kind")->error("unknown-kind", fmt::format("unknown link kind \"{}\"", text),
                                   suggest_name(text, kNames), out);
  }
  return {};
}

}  // namespace

std::optional<LinkModel> read_link(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  QuantityReader quantity(object, out);
  LinkModel link;
  link.name = read_head(object, file, "heddle.link/1", out).name;
  link.kind = read_kind(object, out);
  link.line_rate = quantity.optional_bandwidth("line_rate");
  link.payload_rate = quantity.bandwidth("payload_rate");
  link.latency = quantity.duration("latency");
  link.lanes = quantity.count("lanes", "lanes", 1);
  object.finish();
  if (link.line_rate && link.payload_rate > *link.line_rate) {
    document->root().error("payload-above-line", "the payload rate exceeds the line rate",
                           "both are per direction", out);
  }
  if (out.error_count() != before) return std::nullopt;
  return link;
}

}  // namespace heddle::hw_models

#include "sim/io/import/heddle_fabric.h"

#include <fmt/format.h>

#include <utility>

#include "sim/io/fabric_file.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

using fabric::DeviceId;
using fabric::Fabric;
using fabric::PathType;

/// NVLinks on the way: the bundle at its start, a GPU's port or the links of the pair.
int links_between(const Fabric& fabric, DeviceId a, DeviceId b) {
  for (const fabric::LinkId id : fabric.route(a, b, fabric::RouteKind::kPeer)) {
    return fabric.link(id).lanes;
  }
  return 0;
}

std::string token(const Fabric& fabric, DeviceId a, DeviceId b) {
  if (a == b) return "X";
  const PathType type = fabric.path_type(a, b);
  if (type == PathType::kNvlink) return fmt::format("NV{}", links_between(fabric, a, b));
  return std::string(to_string(type));
}

void fill_matrix(const Fabric& fabric, const std::vector<DeviceId>& nics, Imported& imported) {
  for (const DeviceId a : fabric.gpus()) {
    imported.gpu_matrix.emplace_back();
    imported.gpu_nic.emplace_back();
    for (const DeviceId b : fabric.gpus()) {
      imported.gpu_matrix.back().emplace_back(token(fabric, a, b));
    }
    for (const DeviceId nic : nics) imported.gpu_nic.back().emplace_back(token(fabric, a, nic));
  }
}

void fill(const Fabric& fabric, Imported& imported) {
  for (const DeviceId id : fabric.gpus()) {
    ImportedGpu gpu;
    gpu.number = fabric.device(id).index;
    gpu.numa = std::to_string(fabric.device(id).socket);
    gpu.model = fabric.gpu_model();
    imported.gpus.push_back(std::move(gpu));
  }
  std::vector<DeviceId> nics;
  for (std::size_t i = 0; i < fabric.devices().size(); ++i) {
    if (fabric.devices()[i].kind != fabric::DeviceKind::kNic) continue;
    nics.emplace_back(i);
    imported.nics.push_back({fabric.devices()[i].name, 0});
  }
  if (fabric.node_count() == 1) fill_matrix(fabric, nics, imported);
}

int confidence(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool object = begin != std::string_view::npos && text[begin] == '{';
  return object && text.find("\"heddle.fabric/") != std::string_view::npos ? 100 : 0;
}

std::optional<Imported> read_text(std::string_view text, const std::string& file,
                                  Diagnostics& out) {
  auto read = read_fabric_file(text, file, out);
  if (!read) return std::nullopt;
  auto details = std::make_shared<HeddleFabricDetails>();
  details->file = std::make_shared<const FabricFile>(std::move(*read));
  Imported imported;
  fill(details->file->fabric, imported);
  imported.details = std::move(details);
  return imported;
}

}  // namespace

void HeddleFabricDetails::write(JsonWriter& writer) const {
  writer.field("name", file->fabric.name()).field("gpu", file->fabric.gpu_model());
  writer.field("devices", static_cast<std::int64_t>(file->fabric.devices().size()));
  writer.field("links", static_cast<std::int64_t>(file->fabric.links().size()));
}

ImporterSpec heddle_fabric_importer() {
  return {ImportKind::kHeddleFabric, "heddle-fabric", "heddle import -o FILE", confidence,
          read_text};
}

}  // namespace heddle::io

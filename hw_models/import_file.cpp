#include "hw_models/import_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/io/fabric_file.h"
#include "sim/io/import/heddle_fabric.h"

namespace heddle::hw_models {
namespace {

using fabric::LinkKind;
using io::FileOrigin;

class FileMaker {
 public:
  FileMaker(const ImportedFabric& imported, const run::ImportedText& source,
            const DataFolder& files)
      : imported_(imported), source_(source), files_(files) {}

  io::FabricFile make() {
    std::vector<std::string> link_origins;
    for (const fabric::Link& link : imported_.fabric.links()) {
      link_origins.push_back(origin_of(link.kind));
    }
    const std::string comm = comm_origin();
    return {imported_.fabric,        description(), std::move(origins_),
            std::move(link_origins), comm,          imported_.inferences};
  }

 private:
  std::string description() const {
    return fmt::format("imported from {} with what it does not say from {}", source_.file,
                       imported_.host.model.name);
  }

  std::string link_name(LinkKind kind) const {
    const NodeLinks& links = imported_.host.links;
    if (kind == LinkKind::kNvlink) return links.nvlink.name;
    if (kind == LinkKind::kPcie) return links.pcie.name;
    if (kind == LinkKind::kC2c) return links.c2c.name;
    return kind == LinkKind::kCpuInterconnect ? links.interconnect.name : "";
  }

  std::string origin_of(LinkKind kind) {
    const std::string name = link_name(kind);
    const std::string id = name.empty() ? "text" : name;
    if (is_listed(id)) return id;
    if (name.empty()) {
      origins_.push_back({id, "datasheet", "stated by " + source_.file, "", ""});
    } else {
      origins_.push_back(read_origin(name));
    }
    return id;
  }

  bool is_listed(const std::string& id) const {
    return std::any_of(origins_.begin(), origins_.end(),
                       [&id](const FileOrigin& origin) { return origin.id == id; });
  }

  /// Of the payload rate in hw_models/links; the file was read before without a fault.
  FileOrigin read_origin(const std::string& name) const {
    Diagnostics ignored;
    const DataFile file = files_.read("links", name);
    const auto document = io::JsonDocument::parse(file.text, file.path, ignored);
    const auto rate = document ? document->root().member("payload_rate") : std::nullopt;
    const auto text = [&](const char* key) {
      const auto member = rate ? rate->member(key) : std::nullopt;
      return member ? member->as_string(ignored).value_or("") : std::string();
    };
    return {name, text("kind"), text("source"), text("date"), text("sigma")};
  }

  /// One origin for all of them: each has its own in the file.
  std::string comm_origin() {
    const std::string name = imported_.host.model.comm_name;
    const std::string id = "comm of " + (name.empty() ? source_.file : name);
    origins_.push_back(
        {id, "assumed",
         fmt::format("hw_models/comm/{}.json, where each value has its origin", name), "", ""});
    return id;
  }

  const ImportedFabric& imported_;
  const run::ImportedText& source_;
  const DataFolder& files_;
  std::vector<FileOrigin> origins_;
};

}  // namespace

std::string import_file(const ImportedFabric& imported, const run::ImportedText& source,
                        const DataFolder& files) {
  if (imported.file) return io::write_fabric_file(*imported.file);
  return io::write_fabric_file(FileMaker(imported, source, files).make());
}

}  // namespace heddle::hw_models

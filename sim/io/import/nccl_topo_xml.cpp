#include "sim/io/import/nccl_topo_xml.h"

#include <utility>

#include "sim/io/import/nccl_topo_reader.h"
#include "sim/io/import/topo_import.h"
#include "sim/io/import/xml_tree.h"

namespace heddle::io {
namespace {

int confidence(std::string_view text) {
  const std::size_t at = find_element(text, "system");
  if (at == std::string_view::npos) return 0;
  return find_element(text.substr(at), "cpu") == std::string_view::npos ? 40 : 95;
}

std::optional<Imported> read(std::string_view text, const std::string& file, Diagnostics& out) {
  const auto system = parse_xml(text, "system", file, out);
  if (!system) return std::nullopt;
  auto topo = read_nccl_topo(*system, file, out);
  if (!topo) return std::nullopt;
  return import_topo(std::move(*topo));
}

}  // namespace

ImporterSpec nccl_topo_xml_importer() {
  return {ImportKind::kNcclTopoXml, "nccl-topo-xml", "NCCL_TOPO_DUMP_FILE=topo.xml", confidence,
          read};
}

}  // namespace heddle::io

#include "sim/io/import/nvidia_smi_p2p.h"

#include <utility>

#include "sim/io/import/smi_matrix.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

constexpr std::string_view kOption = "-p2p";

/// "r" of "nvidia-smi topo -p2p r".
std::string capability_of(const std::vector<PlainLine>& lines) {
  for (const PlainLine& line : lines) {
    const std::vector<PlacedWord> words = placed_words(line.text);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string_view next = words[i + 1].text;
      const bool letter = next.size() == 1 && next.find_first_of("rwnap") == 0;
      if (words[i].text == kOption && letter) return std::string(next);
    }
  }
  return "";
}

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

int confidence(std::string_view text) {
  const auto place = find_smi_table(plain_lines(text), SmiTable::kP2p);
  if (!place) return 0;
  const bool said = has(text, "topo -p2p") || has(text, "Status Ok");
  if (!place->has_rows) return said ? 60 : 5;
  return said ? 98 : 75;
}

std::optional<Imported> read_text(std::string_view text, const std::string& file,
                                  Diagnostics& out) {
  const std::vector<PlainLine> lines = plain_lines(text);
  Imported imported;
  if (!read_smi_matrix(lines, SmiTable::kP2p, file, imported, out)) return std::nullopt;
  auto details = std::make_shared<NvidiaSmiP2pDetails>();
  details->capability = capability_of(lines);
  if (details->capability.empty()) {
    out.add({Severity::kWarning, "topo-p2p", file, "", 0,
             "the text does not say which capability this is",
             "paste the command line too: nvidia-smi topo -p2p r"});
  }
  imported.details = std::move(details);
  return imported;
}

}  // namespace

void NvidiaSmiP2pDetails::write(JsonWriter& writer) const {
  writer.key("p2p_capability");
  if (capability.empty()) {
    writer.null();
  } else {
    writer.value(capability);
  }
}

ImporterSpec nvidia_smi_p2p_importer() {
  return {ImportKind::kNvidiaSmiP2p, "nvidia-smi-p2p", "nvidia-smi topo -p2p r", confidence,
          read_text};
}

}  // namespace heddle::io

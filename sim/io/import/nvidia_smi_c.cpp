#include "sim/io/import/nvidia_smi_c.h"

#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/import_json.h"
#include "sim/io/import/plain_lines.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

constexpr std::string_view kSaid = "NUMA IDs of closest CPU:";

/// The word behind `kSaid`; empty if there is none, nullopt if the line does not say it.
std::optional<std::string> answer_of(std::string_view line) {
  const std::size_t at = line.find(kSaid);
  if (at == std::string_view::npos) return std::nullopt;
  const auto words = placed_words(line.substr(at + kSaid.size()), 1);
  return words.empty() ? std::string() : std::string(words.front().text);
}

/// N of "-i N" in a line that calls nvidia-smi.
std::optional<int> asked_gpu(std::string_view line) {
  if (line.find("nvidia-smi") == std::string_view::npos) return std::nullopt;
  const std::vector<PlacedWord> words = placed_words(line);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].text != "-i") continue;
    if (const auto number = whole_int(words[i + 1].text, 0)) return number;
  }
  return std::nullopt;
}

bool is_numa(std::string_view word) {
  return word == "N/A" ||
         (!word.empty() && word.find_first_not_of("0123456789,-") == std::string_view::npos);
}

int confidence(std::string_view text) {
  return text.find(kSaid) == std::string_view::npos ? 0 : 90;
}

std::optional<Imported> read_text(std::string_view text, const std::string& file,
                                  Diagnostics& out) {
  Imported imported;
  auto details = std::make_shared<NvidiaSmiCDetails>();
  const int before = out.error_count();
  int asked = -1;  // by the last command line
  for (const PlainLine& line : plain_lines(text)) {
    asked = asked_gpu(line.text).value_or(asked);
    const auto answer = answer_of(line.text);
    if (!answer) continue;
    if (!is_numa(*answer)) {
      out.error("bad-numa", file, "", line.number,
                "\"" + *answer + "\" is not the number of a NUMA node",
                "expected a number, a list like 0,2-3, or N/A");
      continue;
    }
    ImportedGpu gpu;
    gpu.number = asked >= 0 ? asked : static_cast<int>(imported.gpus.size());
    gpu.line = line.number;
    if (*answer != "N/A") gpu.numa = *answer;
    details->closest_cpu_numa.push_back(gpu.numa);
    imported.gpus.push_back(std::move(gpu));
    asked = -1;
  }
  if (out.error_count() != before) return std::nullopt;
  if (imported.gpus.empty()) {
    out.error("no-closest-numa", file, "", 0, "no line says \"" + std::string(kSaid) + "\"",
              "paste the output of `nvidia-smi topo -C -i 0`");
    return std::nullopt;
  }
  imported.details = std::move(details);
  return imported;
}

}  // namespace

void NvidiaSmiCDetails::write(JsonWriter& writer) const {
  writer.key("closest_cpu_numa").begin_array().inline_from_here();
  for (const auto& numa : closest_cpu_numa) write_numa(numa, writer);
  writer.end_array();
}

ImporterSpec nvidia_smi_c_importer() {
  return {ImportKind::kNvidiaSmiC, "nvidia-smi-c", "nvidia-smi topo -C -i 0", confidence,
          read_text};
}

}  // namespace heddle::io

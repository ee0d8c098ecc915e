#include "sim/io/import/import_json.h"

#include "sim/base/number_text.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

void write_text(const std::string& text, JsonWriter& w) {
  if (text.empty()) {
    w.null();
  } else {
    w.value(text);
  }
}

void write_matrix(std::string_view key, const TokenMatrix& matrix, JsonWriter& w) {
  w.key(key).begin_array();
  for (const auto& row : matrix) {
    w.begin_array().inline_from_here();
    for (const auto& cell : row) write_text(cell.value_or(""), w);
    w.end_array();
  }
  w.end_array();
}

template <typename Write>
void write_gpus(std::string_view key, const Imported& imported, JsonWriter& w, Write write) {
  w.key(key).begin_array().inline_from_here();
  for (const ImportedGpu& gpu : imported.gpus) write(gpu);
  w.end_array();
}

void write_inferences(const Imported& imported, JsonWriter& w) {
  w.key("inferences").begin_array();
  for (const Inference& i : imported.inferences) {
    w.begin_object().field("what", i.what).field("value", i.value).field("from", i.from);
    w.field("line", i.line).end_object();
  }
  w.end_array();
}

void write_warnings(const Diagnostics& found, JsonWriter& w) {
  w.key("warnings").begin_array();
  for (const Diagnostic& d : found.all()) {
    if (d.severity != Severity::kWarning) continue;
    w.begin_object().field("code", d.code).field("line", d.line).field("message", d.message);
    w.end_object();
  }
  w.end_array();
}

}  // namespace

void write_numa(const std::optional<std::string>& numa, JsonWriter& writer) {
  if (!numa) {
    writer.null();
    return;
  }
  if (const auto number = whole_number(*numa)) {
    writer.value(*number);
  } else {
    writer.value(*numa);
  }
}

std::string import_json(const Imported& imported, const ImporterSpec& importer,
                        const std::string& file, const Diagnostics& found) {
  JsonWriter w;
  w.begin_object().field("kind", importer.name).field("file", file);
  write_matrix("gpu_matrix", imported.gpu_matrix, w);
  write_gpus("gpus", imported, w, [&w](const ImportedGpu& g) { w.value(g.number); });
  write_gpus("numa", imported, w, [&w](const ImportedGpu& g) { write_numa(g.numa, w); });
  write_gpus("cpu_affinity", imported, w,
             [&w](const ImportedGpu& g) { write_text(g.cpu_affinity, w); });
  write_gpus("gpu_numa_id", imported, w,
             [&w](const ImportedGpu& g) { write_numa(g.gpu_numa_id, w); });
  write_gpus("bus_ids", imported, w, [&w](const ImportedGpu& g) { write_text(g.bus_id, w); });
  write_gpus("models", imported, w, [&w](const ImportedGpu& g) { write_text(g.model, w); });
  w.key("nics").begin_array().inline_from_here();
  for (const ImportedNic& nic : imported.nics) w.value(nic.name);
  w.end_array();
  write_matrix("gpu_nic", imported.gpu_nic, w);
  write_inferences(imported, w);
  write_warnings(found, w);
  w.key("details").begin_object();
  if (imported.details) imported.details->write(w);
  return w.end_object().end_object().take();
}

}  // namespace heddle::io

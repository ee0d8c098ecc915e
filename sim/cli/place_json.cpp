#include "sim/cli/place_report.h"
#include "sim/cli/place_text.h"
#include "sim/io/json_writer.h"

namespace heddle::cli {
namespace {

void write_gpus(const Place& place, io::JsonWriter& json) {
  json.key("gpus").begin_array();
  for (const run::GpuPlace& gpu : place.gpus) {
    if (place.one_machine) {
      json.value(gpu.gpu);
    } else {
      json.value(node_gpu_text(gpu));
    }
  }
  json.end_array();
}

}  // namespace

std::string place_json(const PlaceAnswer& answer) {
  io::JsonWriter json;
  json.begin_object()
      .field("schema", "heddle.place/1")
      .field("scenario", answer.scenario)
      .field("count", answer.count)
      .field("complete", answer.complete);
  json.key("busy").begin_array();
  for (const std::string& gpu : answer.busy) json.value(gpu);
  json.end_array().key("placements").begin_array();
  for (const RankedPlace& ranked : answer.ranked) {
    const Place& place = answer.places[ranked.place];
    json.begin_object().inline_from_here();
    write_gpus(place, json);
    json.field("strategy", ranked.strategy)
        .field("step_time_s", ranked.step_time.seconds())
        .field("busbw_gb_per_s", place.busbw_gb)
        .field("needed_bytes", ranked.needed.value)
        .field("fits", ranked.fits)
        .field("bound_by", ranked.bound_by)
        .field("fabric", place.fabric)
        .field("machine", place.machine)
        .field("use", use_text(place))
        .end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace heddle::cli

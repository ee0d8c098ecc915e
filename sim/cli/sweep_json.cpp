#include "sim/cli/sweep_report.h"
#include "sim/io/json_writer.h"

namespace heddle::cli {
namespace {

void write_point(const SweepPoint& point, const fabric::Fabric& fabric, io::JsonWriter& json) {
  json.begin_object()
      .inline_from_here()
      .field("size_bytes", point.bytes.value)
      .field("algorithm", collective::to_string(point.cost.algorithm))
      .field("protocol", collective::to_string(point.cost.protocol))
      .field("transport", collective::to_string(point.cost.transport))
      .field("time_s", point.cost.total.seconds())
      .field("algbw_gb_per_s", point.algbw_gb)
      .field("busbw_gb_per_s", point.busbw_gb)
      .field("limited_by", limit_text(point.cost, fabric))
      .end_object();
}

}  // namespace

std::string sweep_json(const SweepReport& report) {
  const run::Machine& machine = report.machine;
  io::JsonWriter json;
  json.begin_object()
      .field("schema", "heddle.collective/1")
      .field("machine", machine.fabric.name())
      .field("gpu", machine.gpu.name)
      .field("collective", schedule::to_string(report.kind))
      .field("p2p", report.comm.p2p);
  json.key("gpus").begin_array();
  for (const fabric::DeviceId id : machine.members) json.value(machine.fabric.device(id).index);
  json.end_array();
  json.key("points").begin_array();
  for (const SweepPoint& point : report.points) write_point(point, machine.fabric, json);
  return json.end_array().end_object().take();
}

}  // namespace heddle::cli

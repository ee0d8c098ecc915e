#include "sim/cli/advise_text.h"
#include "sim/io/json_writer.h"
#include "sim/io/scenario_words.h"
#include "sim/io/training_export/launch_settings.h"

namespace heddle::cli {
namespace {

void write_launch(io::JsonWriter& w, const AdviceAnswer& answer, const advise::Finalist& finalist) {
  const run::Scenario scenario = scenario_of(answer.space, finalist.candidate);
  const auto settings = io::launch_settings(scenario, scenario.strategies.front());
  w.field("devices", devices_text(answer, finalist));
  w.field("config_file", settings ? settings->file : "");
  w.field("config", settings ? settings->text : "");
  w.key("script").begin_array();
  if (settings) {
    for (const std::string& line : settings->script) w.value(line);
  }
  w.end_array();
}

void write_finalist(io::JsonWriter& w, const AdviceAnswer& answer, const advise::Finalist& f) {
  const advise::BatchChoice& batch = answer.space.batches[f.candidate.batch];
  w.begin_object();
  w.field("strategy", answer.space.strategies[f.candidate.strategy].id)
      .field("micro_batch", batch.micro_batch)
      .field("accumulation", batch.accumulation)
      .field("checkpointing", io::checkpointings().name_of(batch.checkpointing))
      .field("step_time_s", f.result.step_time.seconds())
      .field("tokens_per_s", f.result.tokens_per_second)
      .field("needed_bytes", f.result.memory.needed().value)
      .field("verdict", to_string(f.result.memory.verdict))
      .field("bound_by", f.result.bound_by)
      .field("kernels_alone_s", f.bound.kernels.seconds())
      .field("host_alone_s", f.bound.host.seconds())
      .field("wires_alone_s", f.bound.wires.seconds())
      .field("value", f.value);
  write_launch(w, answer, f);
  w.end_object();
}

void write_tally(io::JsonWriter& w, const AdviceAnswer& answer) {
  const advise::Tally& t = answer.advice.tally;
  const auto count = [&](std::string_view name, std::size_t n) {
    w.field(name, static_cast<std::int64_t>(n));
  };
  w.key("candidates").begin_object();
  count("all", answer.space.size());
  count("simulated", t.simulated);
  count("do_not_fit", t.does_not_fit);
  count("cannot_fit", t.bound_memory);
  count("kernels_too_long", t.bound_kernels);
  count("host_too_long", t.bound_host);
  count("wires_too_long", t.bound_wires);
  count("need_more", t.bound_value);
  count("not_modelled", t.refused);
  w.end_object();
}

}  // namespace

std::string advice_json(const AdviceAnswer& answer) {
  io::JsonWriter w;
  w.begin_object();
  w.field("schema", "heddle.advice/1").field("scenario", answer.space.base.name);
  w.field("machine", answer.machine).field("gpus", answer.space.gpus);
  w.field("fits", !answer.nothing_fits).field("step_error", answer.error);
  w.key("best").begin_array();
  for (const advise::Finalist& f : answer.advice.best) write_finalist(w, answer, f);
  w.end_array();
  write_tally(w, answer);
  w.end_object();
  return w.take();
}

}  // namespace heddle::cli

#include "sim/cli/advise_text.h"

#include <fmt/format.h>

#include "sim/cli/place_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/text_table.h"
#include "sim/io/scenario_words.h"
#include "sim/io/three_digits.h"
#include "sim/io/training_export/launch_settings.h"

namespace heddle::cli {
namespace {

using advise::Finalist;
using advise::Objective;

Place place_of(const AdviceAnswer& answer, const Finalist& finalist) {
  const run::FabricChoice& choice = answer.space.places[finalist.candidate.place];
  return {choice.id, answer.machine, choice.gpus, !choice.is_cluster(), 0};
}

std::string gpus_text(const AdviceAnswer& answer, const Finalist& finalist) {
  const Place place = place_of(answer, finalist);
  return place.gpus.empty() ? "all" : place_text(place);
}

std::string head(const AdviceAnswer& answer) {
  const run::Scenario& s = answer.space.base;
  const std::int64_t batch = s.batch.micro_batch * s.training.accumulation;
  const std::string unit = s.model.family == model::Family::kVit
                               ? "images"
                               : fmt::format("x {} tokens", s.batch.sequence);
  return fmt::format("{}: {}, {} {} per GPU and step\n{} x {} of {}\n\n", s.name, s.model.name,
                     batch, unit, answer.space.gpus, answer.gpu, answer.machine);
}

std::string what_for(const AdviceAnswer& answer) {
  if (answer.nothing_fits) return "Nothing is sure to fit. What needs least:\n";
  switch (answer.objective) {
    case Objective::kTime:
      return "Fastest that fit:\n";
    case Objective::kCost:
      return "Cheapest that fit:\n";
    case Objective::kMemory:
      return "What needs least:\n";
  }
  return "";
}

std::string finalists_table(const AdviceAnswer& answer) {
  const bool samples = answer.space.base.model.family == model::Family::kVit;
  std::vector<Column> columns{{"", ""},
                              {"strategy", "", Align::kLeft},
                              {"micro-batch", ""},
                              {"accumulate", ""},
                              {"checkpoints", "", Align::kLeft},
                              {"GPUs", "", Align::kLeft},
                              {"step", "ms"},
                              {samples ? "samples/s" : "tokens/s", "all GPUs"},
                              {"needed", "GB"},
                              {"bound by", "", Align::kLeft}};
  TextTable table(std::move(columns));
  int rank = 0;
  for (const Finalist& f : answer.advice.best) {
    const advise::BatchChoice& batch = answer.space.batches[f.candidate.batch];
    const double rate = samples ? f.result.samples_per_second : f.result.tokens_per_second;
    table.add_row({fmt::format("{}", ++rank), answer.space.strategies[f.candidate.strategy].id,
                   fmt::format("{}", batch.micro_batch), fmt::format("{}", batch.accumulation),
                   std::string(io::checkpointings().name_of(batch.checkpointing)),
                   gpus_text(answer, f), ms_text(f.result.step_time), fmt::format("{:.0f}", rate),
                   gb_text(f.result.memory.needed()), f.result.bound_by});
  }
  return table.render(2);
}

std::string regret_line(const AdviceAnswer& answer) {
  if (answer.advice.best.size() < 2 || answer.objective == Objective::kMemory) return "";
  const double first = answer.advice.best[0].value;
  const double second = answer.advice.best[1].value;
  const double loss = advise::regret(first, second, answer.error);
  const std::string error = io::three_digits_text(100 * answer.error);
  if (loss == 0) {
    return fmt::format("  regret: none, even if both are off by {} % the wrong way round\n", error);
  }
  return fmt::format(
      "  regret: 1 loses at most {} % to 2 if both are off by {} % the wrong way round\n",
      io::three_digits_text(100 * loss), error);
}

std::string why(const AdviceAnswer& answer) {
  const Finalist& best = answer.advice.best.front();
  const advise::Tally& t = answer.advice.tally;
  std::string text = fmt::format(
      "Why 1: of its {} ms kernels alone take {}, the host's launches {}, its bytes at the best\n"
      "  rate {}; {} ms of communication show\n",
      ms_text(best.result.step_time), ms_text(best.bound.kernels), ms_text(best.bound.host),
      ms_text(best.bound.wires), ms_text(best.result.accounting.exposed_comm));
  text += regret_line(answer);
  text += fmt::format(
      "\nOf {} candidates {} were simulated, {} of them do not fit. Not simulated:\n"
      "  {} cannot fit: weights, states and saved activations alone are too much\n"
      "  {} cannot be among these: kernels alone take longer; {} more: the host does;\n"
      "  {} more: the wires do\n",
      answer.space.size(), t.simulated, t.does_not_fit, t.bound_memory, t.bound_kernels,
      t.bound_host, t.bound_wires);
  if (t.bound_value > 0) text += fmt::format("  {} need more than these\n", t.bound_value);
  if (t.refused > 0) text += fmt::format("  {} are not modelled:\n", t.refused);
  for (const advise::RefusedStrategy& refused : answer.advice.refused) {
    text += fmt::format("    {}: {}\n", refused.id, refused.reason);
  }
  return text;
}

}  // namespace

std::string devices_text(const AdviceAnswer& answer, const Finalist& finalist) {
  const Place place = place_of(answer, finalist);
  return place.gpus.empty() ? "" : use_text(place);
}

std::string launch_text(const AdviceAnswer& answer, const Finalist& finalist) {
  std::string text;
  const std::string devices = devices_text(answer, finalist);
  if (!devices.empty()) text += devices + "\n";
  const run::Scenario scenario = scenario_of(answer.space, finalist.candidate);
  const auto settings = io::launch_settings(scenario, scenario.strategies.front());
  if (!settings) return text + "No configuration file says this strategy with these options.\n";
  text += fmt::format("{}, {}:\n{}", settings->kind, settings->file, settings->text);
  for (const std::string& line : settings->script) text += fmt::format("in the script: {}\n", line);
  return text;
}

std::string advice_text(const AdviceAnswer& answer) {
  if (answer.advice.best.empty()) return head(answer) + "Nothing could be simulated.\n";
  return head(answer) + what_for(answer) + finalists_table(answer) + "\n" + why(answer) +
         "\nTo launch 1\n" + launch_text(answer, answer.advice.best.front());
}

}  // namespace heddle::cli

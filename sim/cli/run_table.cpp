#include "sim/cli/run_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "sim/base/units_text.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/text_table.h"
#include "sim/cli/what_if_text.h"
#include "sim/cli/wire_text.h"
#include "sim/run/cuda_graph.h"

namespace heddle::cli {
namespace {

constexpr std::size_t kWidth = 118;

/// Images are counted, text is measured in tokens.
bool counts_samples(const run::Study& study) {
  return study.scenario().model.family == model::Family::kVit;
}

std::string title(const run::Study& study, const run::CaseId& id) {
  const run::FabricChoice& choice = study.scenario().fabrics[id.fabric];
  return fmt::format("{}: {}\n  {}\n{}", choice.id, machine_text(study, id),
                     wire_text(study.fabric(id), study.members(id), choice.comm),
                     what_if_lines(choice));
}

/// Breaks at spaces; later lines are indented past the bullet.
std::string bullet(const std::string& text) {
  std::string out;
  std::string line = "  -";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (line.size() + 1 + end - begin > kWidth) {
      out += line + '\n';
      line = "   ";
    }
    line += ' ' + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out + line + '\n';
}

std::string_view precision_text(const model::ComputeOptions& compute) {
  switch (compute.fp8) {
    case model::Float8::kNone:
      break;
    case model::Float8::kDelayed:
      return "bf16 with fp8 linears, delayed scaling";
    case model::Float8::kCurrent:
      return "bf16 with fp8 linears, current scaling";
    case model::Float8::kBlock:
      return "bf16 with MXFP8 linears";
  }
  switch (compute.precision) {
    case model::Precision::kBFloat16:
      return "bf16";
    case model::Precision::kAutocast:
      return "fp32 weights with bf16 autocast";
    case model::Precision::kFloat32:
      return "fp32";
    case model::Precision::kAutocastFloat16:
      return "fp32 weights with fp16 autocast";
    case model::Precision::kFloat16:
      return "fp16, loss scaled";
  }
  return "";
}

std::string host_text(const run::HostChoice& host) {
  const std::string between =
      host.per_step.ps == 0 ? "" : ", between two steps " + format_duration(host.per_step);
  if (host.cuda_graph) {
    return fmt::format(
        "each step is one CUDA graph: no host time per operator, {} per kernel at "
        "least; memory as without it{}",
        format_duration(run::kGraphNode), between);
  }
  return fmt::format("host time of an eager operator {}, of a collective call {}{}",
                     format_duration(host.per_dispatch), format_duration(host.per_collective),
                     between);
}

}  // namespace

std::string heading(const run::Study& study) {
  const run::Scenario& s = study.scenario();
  const std::string batch =
      counts_samples(study) ? fmt::format("{} images", s.batch.micro_batch)
                            : fmt::format("{} x {} tokens", s.batch.micro_batch, s.batch.sequence);
  return fmt::format("{}: {}, {} per GPU and step, {}\n\n", s.name, s.model.name, batch,
                     precision_text(s.compute));
}

std::vector<Column> result_columns(const run::Study& study) {
  return {{"strategy", "", Align::kLeft},
          {"peak", "GB"},
          {"reserved", "GB"},
          {"needed", "GB"},
          {"of", "GB"},
          {"fits", ""},
          {"step", "ms"},
          {counts_samples(study) ? "samples/s" : "tokens/s", "all GPUs"},
          {"MFU", "%"},
          {"exposed comm", "ms"},
          {"sent/GPU", "GB"},
          {"bound by", "", Align::kLeft}};
}

std::vector<std::string> result_row(const run::Study& study, const run::CaseResult& r) {
  const double rate = counts_samples(study) ? r.samples_per_second : r.tokens_per_second;
  return {r.strategy,
          gb_text(r.memory.peak_allocated),
          gb_text(r.memory.peak_reserved),
          gb_text(r.memory.needed()),
          gb_text(r.memory.capacity),
          verdict_word(r.memory.verdict),
          ms_text(r.step_time),
          magnitude_text(rate),
          percent_text(r.mfu),
          ms_text(r.accounting.exposed_comm),
          gb_text(r.wire_bytes),
          r.bound_by};
}

std::string machine_text(const run::Study& study, const run::CaseId& id) {
  const run::FabricChoice& choice = study.scenario().fabrics[id.fabric];
  const fabric::Fabric& fabric = study.fabric(id);
  const std::string machine = choice.is_cluster()   ? fabric.name()
                              : choice.node.empty() ? choice.import_name
                                                    : choice.node;
  return fmt::format("{}, {}, GPUs {}", machine, study.gpu(id).name,
                     gpu_list_text(fabric, study.members(id)));
}

std::string run_table(const run::Study& study, std::span<const run::CaseId> cases,
                      std::span<const run::CaseResult> results) {
  std::string text;
  for (std::size_t begin = 0; begin < cases.size();) {
    TextTable table(result_columns(study));
    std::size_t end = begin;
    for (; end < cases.size() && cases[end].fabric == cases[begin].fabric; ++end) {
      table.add_row(result_row(study, results[end]));
    }
    text += title(study, cases[begin]) + table.render(2) + '\n';
    begin = end;
  }
  return text;
}

std::string basis_text(const run::Study& study, std::span<const std::string> overrides) {
  const run::Scenario& scenario = study.scenario();
  std::string text = "Rests on\n";
  if (!overrides.empty()) {
    text += bullet(fmt::format("as the file says; changed on the command line: {}",
                               fmt::join(overrides, ", ")));
  }
  for (const std::string& assumption : scenario.assumptions) text += bullet(assumption);
  text += bullet(host_text(scenario.host));
  text +=
      bullet(scenario.software.empty()
                 ? "kernels at their GPU's best published shares, some 8 % faster than PyTorch in "
                   "training; \"software\": \"torch-2\" takes what that reaches, where it is known"
                 : fmt::format("kernels at the shares that {} reaches", scenario.software));
  text += bullet(
      fmt::format("needed: reserved by the caching allocator + CUDA context + NCCL buffers + "
                  "headroom ({} % of the GPU's memory, kept free); fits: so does the upper "
                  "end of the prediction's interval; close: only its lower end does",
                  format_significant(scenario.headroom * 100, 2)));
  return text + "fingerprint " + study.fingerprint() + '\n';
}

}  // namespace heddle::cli

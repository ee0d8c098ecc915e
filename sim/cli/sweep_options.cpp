#include "sim/cli/sweep_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "sim/base/units_text.h"
#include "sim/cli/named_option.h"
#include "sim/cli/verb_errors.h"

namespace heddle::cli {
namespace {

void add_size_option(CLI::App& verb, const std::string& name, Bytes& size,
                     const std::string& help) {
  verb.add_option_function<std::string>(
          name,
          [&size, name](const std::string& text) {
            const Parsed<Bytes> parsed = parse_bytes(text);
            if (!parsed.value) {
              const std::string hint = parsed.hint.empty() ? "" : "; " + parsed.hint;
              throw UsageError(fmt::format("{}: {}{}", name, parsed.reason, hint));
            }
            if (parsed.value->value < 1) throw UsageError(name + ": must be at least 1 B");
            size = *parsed.value;
          },
          help)
      ->type_name("SIZE");
}

}  // namespace

void add_sweep_options(CLI::App& verb, SweepOptions& options) {
  add_named_option(verb, "--collective", words_of(io::collective_kinds()),
                   "which one; default all_reduce",
                   [&options](schedule::CollectiveKind kind) { options.kind = kind; });
  add_size_option(verb, "--min", options.range.min, "smallest size; default 8B");
  add_size_option(verb, "--max", options.range.max, "largest size; default 8GiB");
  verb.add_option("--factor", options.range.factor,
                  fmt::format("between sizes; default {}", options.range.factor))
      ->check(CLI::Range(2, 1 << 20))
      ->type_name("N");
}

void check_sweep(const SweepOptions& options, const run::Machine& machine) {
  if (options.range.max < options.range.min) throw UsageError("--max is below --min");
  const auto refusal = machine.world.refusal(options.kind);
  if (!refusal) return;
  Diagnostics problems;
  problems.error(refusal->code, machine.fabric.name(), "", 0, refusal->reason, refusal->hint);
  throw BadInput(std::move(problems));
}

}  // namespace heddle::cli

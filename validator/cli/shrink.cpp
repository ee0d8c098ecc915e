#include "validator/cli/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/stable_hash.h"

namespace heddle::validator_cli {
namespace {

std::int64_t scaled(std::int64_t size, double factor, std::int64_t least, std::int64_t multiple) {
  if (size == 0) return 0;
  const auto units =
      std::llround(static_cast<double>(size) * factor / static_cast<double>(multiple));
  return std::max({least, static_cast<std::int64_t>(units) * multiple, multiple});
}

}  // namespace

void shrink_model(run::Scenario& scenario, double factor) {
  model::ModelSpec& spec = scenario.model;
  scenario.content_hash =
      StableHash().add(scenario.content_hash).add(std::bit_cast<std::uint64_t>(factor)).value();
  const std::int64_t per_kv =
      std::max<std::int64_t>(1, spec.heads / std::max<std::int64_t>(1, spec.kv_heads));
  const std::int64_t head = spec.heads > 0 ? spec.hidden / spec.heads : spec.hidden;
  spec.heads = scaled(spec.heads, factor, 1, 1);
  // Groups of queries stay as large as the heads that are left allow.
  std::int64_t group = std::min(per_kv, spec.heads);
  while (spec.heads % group != 0) --group;
  spec.kv_heads = spec.heads / group;
  spec.hidden = spec.heads * head;
  spec.layers = scaled(spec.layers, factor, std::min<std::int64_t>(2, spec.layers), 1);
  spec.ffn = scaled(spec.ffn, factor, 64, 64);
  spec.vocab = scaled(spec.vocab, factor, 64, 8);
  spec.classes = scaled(spec.classes, factor, 2, 2);
}

std::string keep_ranks(run::FabricChoice& fabric, int ranks) {
  if (fabric.gpus.empty()) {
    for (int gpu = 0; gpu < ranks; ++gpu) fabric.gpus.push_back({0, gpu});
    return "";
  }
  if (static_cast<int>(fabric.gpus.size()) < ranks) {
    return fmt::format("--ranks {}: fabric \"{}\" has {} GPUs", ranks, fabric.id,
                       fabric.gpus.size());
  }
  fabric.gpus.resize(static_cast<std::size_t>(ranks));
  return "";
}

}  // namespace heddle::validator_cli

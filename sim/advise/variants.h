#pragma once
// The ways of sharding that advice tries: a strategy with some of its dialect's switches set.

#include <span>
#include <string_view>

#include "sim/run/scenario.h"

namespace heddle::advise {

struct Variant {
  std::string_view id;
  std::string_view strategy;
  std::string_view dialect;
  void (*set)(parallel::DialectOptions& options);
  bool several_machines = false;  // means something on clusters only
};

/// Adding one: a line in variants.cpp. Those that a framework's own file can say, so that they can
/// be handed out as such.
std::span<const Variant> variants();

run::StrategyChoice choice_of(const Variant& variant);

}  // namespace heddle::advise

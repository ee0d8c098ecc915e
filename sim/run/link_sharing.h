#pragma once
// Who takes part of the links that the job needs.

#include <optional>

#include "sim/run/case_metrics.h"

namespace heddle::run {

/// The link that limits a collective beside the background traffic: the one that leaves it the
/// least after what the others took on average; nullopt if its CTAs or protocol are the limit.
/// Without background traffic it is the cost's own.
std::optional<fabric::LinkId> limiting_link(const collective::CollectiveCost& cost,
                                            const MetricInputs& inputs,
                                            const engine::RunResult& run);

/// Fills `result.background`; `limit` is the link whose sharing is asked for.
void measure_background(const MetricInputs& inputs, std::optional<fabric::LinkId> limit,
                        CaseResult& result);

}  // namespace heddle::run

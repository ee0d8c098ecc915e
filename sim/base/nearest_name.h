#pragma once
// "Did you mean ...?": the known name closest to what was typed.

#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// The candidate with the smallest edit distance to `typed`, or "" when none is close (distance
/// above a third of the length, at least 2). Ties go to the first candidate.
std::string nearest_name(std::string_view typed, std::span<const std::string> candidates);

/// Sentence for a hint: `did you mean "fsdp"? known: ddp, fsdp, ...` (list cut after 12 names).
std::string suggest_name(std::string_view typed, std::span<const std::string> candidates);

}  // namespace heddle

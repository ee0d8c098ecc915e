#pragma once
// The arguments of TrainingArguments that touch neither memory nor time, or only with others.

#include <span>
#include <string_view>

namespace heddle::io {

/// Data, evaluation, logging, checkpoints on disk, the hub, learning rates; and what belongs to a
/// strategy or a switch, where that is not taken.
std::span<const std::string_view> trainer_ignored();

}  // namespace heddle::io

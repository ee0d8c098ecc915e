#pragma once
// What a replayed allocator trace shows, as text and as JSON (heddle.replay/1).

#include <string>

#include "sim/allocator/replay.h"
#include "sim/allocator/trace.h"

namespace heddle::cli {

struct ReplayAnswer {
  std::string file;
  std::string alloc_conf;  // as typed
  Bytes capacity = allocator::kUnlimited;
  allocator::Trace trace;
  allocator::ReplayResult result;
};

std::string replay_text(const ReplayAnswer& answer);
std::string replay_json(const ReplayAnswer& answer);

}  // namespace heddle::cli

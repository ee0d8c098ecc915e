#include "sim/engine/fingerprint.h"

#include "sim/base/stable_hash.h"

namespace heddle::engine {

std::string Fingerprint::hex() const {
  return StableHash().add(state_).add(events_).hex();
}

}  // namespace heddle::engine

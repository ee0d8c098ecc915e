#pragma once
// CPU time for benchmarks that assert it.

#include <ctime>

namespace heddle::test {

/// Only an optimised build without sanitizers can tell.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool kMeasures = true;
#else
inline constexpr bool kMeasures = false;
#endif

/// Of this process so far.
inline double cpu_milliseconds() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace heddle::test

#pragma once
// Ctrl-C as a wish to end in order: what was begun is finished and written. A second one ends at
// once.

#include <atomic>

namespace heddle::cli {

/// While it lives SIGINT and SIGTERM only set wanted(). One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& wanted() const;
};

}  // namespace heddle::cli

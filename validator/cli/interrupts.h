#pragma once
// Ctrl-C and SIGTERM as a count that others poll, while one of these lives.

#include <csignal>

#include <atomic>

namespace heddle::validator_cli {

class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();
  static const std::atomic<int>& count();

 private:
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

}  // namespace heddle::validator_cli

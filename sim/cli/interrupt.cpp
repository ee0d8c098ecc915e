#include "sim/cli/interrupt.h"

#include <csignal>

namespace heddle::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler takes no lock");

extern "C" void note_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);  // the next one ends the program
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = false;
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interrupt::wanted() const {
  return interrupted;
}

}  // namespace heddle::cli

#include "validator/cli/interrupts.h"

namespace heddle::validator_cli {
namespace {

std::atomic<int> interrupts = 0;
static_assert(std::atomic<int>::is_always_lock_free, "written by a signal handler");

void note_interrupt(int) {
  interrupts.fetch_add(1);
}

}  // namespace

Interrupts::Interrupts() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
}

Interrupts::~Interrupts() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

const std::atomic<int>& Interrupts::count() {
  return interrupts;
}

}  // namespace heddle::validator_cli

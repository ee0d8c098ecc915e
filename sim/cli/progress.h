#pragma once
// How far a long answer has come, on a line of standard error that rewrites itself. Only where
// somebody sees it: on a terminal.

#include <chrono>
#include <cstddef>
#include <string>

#include "sim/cli/environment.h"

namespace heddle::cli {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// `done` of `total` were there before this run.
  Progress(const Environment& env, std::string what, std::size_t done, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();
  double seconds() const;

 private:
  void show();

  const Environment& env_;
  std::string what_;
  std::size_t before_;
  std::size_t done_;
  std::size_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

/// "points 30/100, 12.0/s, 6 s left"; `elapsed` seconds went into those since `before`.
std::string progress_text(const std::string& what, std::size_t before, std::size_t done,
                          std::size_t total, double elapsed);

}  // namespace heddle::cli

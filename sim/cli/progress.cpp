#include "sim/cli/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/base/units_text.h"

namespace heddle::cli {
namespace {

constexpr double kBetweenShows = 0.2;  // seconds

std::string time_left(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_text(const std::string& what, std::size_t before, std::size_t done,
                          std::size_t total, double elapsed) {
  std::string text = fmt::format("{} {}/{}", what, done, total);
  if (done == before || elapsed <= 0) return text;
  const double rate = static_cast<double>(done - before) / elapsed;
  return text + fmt::format(", {}/s, {} left", format_significant(rate, 3),
                            time_left(static_cast<double>(total - done) / rate));
}

Progress::Progress(const Environment& env, std::string what, std::size_t done, std::size_t total)
    : env_(env), what_(std::move(what)), before_(done), done_(done), total_(total) {}

Progress::~Progress() {
  if (env_.err_is_terminal) env_.err << "\r\033[K" << std::flush;
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::advance() {
  ++done_;
  if (!env_.err_is_terminal) return;
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - shown_).count() < kBetweenShows) return;
  shown_ = now;
  show();
}

void Progress::show() {
  env_.err << "\r\033[K" << progress_text(what_, before_, done_, total_, seconds()) << std::flush;
}

}  // namespace heddle::cli

// Any bytes as a schedule file: either errors, or a schedule that is written and read back the
// same and that the checker can judge.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/check.h"
#include "sim/io/schedule_file.h"
#include "sim/schedule/schedule_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  heddle::Diagnostics problems;
  const auto file = heddle::io::read_schedule(input, "step.hsched", problems);
  HEDDLE_CHECK(file.has_value() != problems.has_errors(), "neither a schedule nor an error");
  if (!file) return 0;
  const std::string text = heddle::io::write_schedule(file->schedule, file->origin);
  const auto again = heddle::io::read_schedule(text, "step.hsched", problems);
  HEDDLE_CHECK(again.has_value(), "a written schedule is refused");
  HEDDLE_CHECK(heddle::io::write_schedule(again->schedule, again->origin) == text,
               "a written schedule reads back as another one");
  if (file->schedule.rank_count() <= 64) heddle::schedule::check_schedule(file->schedule);
  return 0;
}

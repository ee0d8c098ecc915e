#pragma once
// What the shell sees. The numbers are a contract of every verb, listed in `heddle --help`.

namespace heddle::cli {

enum class ExitCode {
  kDone = 0,
  kDisagrees = 1,  // measured and disagrees, or outside a tolerance the user asked for
  kUsage = 2,
  kBadInput = 3,  // a faulty or missing input file
  kUnsupported = 4,
  kRunFailed = 5,
  kCannotWrite = 6,
  kDoesNotFit = 7,  // only with --fail-on oom
  kInternal = 70,
  kInterrupted = 130,
};

}  // namespace heddle::cli

#include "tests/conformance/backend/backends.h"

#include "validator/execute/thread_job.h"

namespace heddle::test {

const std::vector<Backend>& backends() {
  static const std::vector<Backend> all{
      {"reference_threads",
       [](const schedule::Schedule& schedule, const execute::RunOptions& options, int repeats,
          Bytes memory) {
         return execute::run_in_threads(schedule, options,
                                        {.transport = {}, .memory = memory, .repeats = repeats});
       }},
  };
  return all;
}

}  // namespace heddle::test

#include "sim/cli/machine_opener.h"

#include <utility>

#include "sim/cli/messages.h"
#include "sim/cli/verb_errors.h"

namespace heddle::cli {

run::Machine resolve_machine(const run::FabricChoice& choice, const std::string& blame,
                             const run::ReadText& read, const Environment& env) {
  Diagnostics problems;
  auto machine = run::resolve_machine(choice, blame, env.catalog, read, problems);
  if (!machine) throw BadInput(std::move(problems));
  print_diagnostics(problems, Severity::kWarning, env.err);
  return std::move(*machine);
}

}  // namespace heddle::cli

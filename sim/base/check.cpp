#include "sim/base/check.h"

#include <fmt/format.h>

#include <string_view>

namespace heddle {

void check_failed(const char* expression, const char* file, int line, const std::string& detail) {
  // Only the file's own name: results and messages must not depend on where the tree was built.
  std::string_view path(file);
  const auto slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  throw InternalError(
      fmt::format("invariant `{}` does not hold at {}:{}: {}", expression, path, line, detail));
}

}  // namespace heddle

#include "gui/models/failure.h"

#include "sim/base/error.h"
#include "sim/cli/verb_errors.h"

namespace heddle::gui {

Diagnostics explain_failure(const std::exception_ptr& failure, const std::string& file) {
  Diagnostics out;
  try {
    std::rethrow_exception(failure);
  } catch (const cli::BadInput& bad) {
    return bad.diagnostics();
  } catch (const Error& error) {
    out.error("failed", file, "", 0, error.what());
  } catch (const cli::UsageError& error) {
    out.error("usage", file, "", 0, error.what());
  } catch (const std::exception& error) {
    out.error("internal", file, "", 0, error.what(), "please report it");
  }
  return out;
}

}  // namespace heddle::gui

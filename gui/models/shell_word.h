#pragma once
// Words of a command to paste into a terminal.

#include <string>

namespace heddle::gui {

/// As a POSIX shell takes it literally.
std::string shell_word(const std::string& text);

}  // namespace heddle::gui

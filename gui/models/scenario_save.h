#pragma once
// The open scenario with its changes as a file of its own.

#include <string>

namespace heddle::gui {

class Document;

/// Every default spelt out, replaced whole or not at all. Only into the folder of the file that is
/// open: a scenario names its other files relative to itself. What went wrong, or "".
std::string save_scenario(const Document& document, const std::string& file);

}  // namespace heddle::gui

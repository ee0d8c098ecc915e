#pragma once
// What a file that is opened or dropped is taken for.

#include <cstdint>
#include <string>

namespace heddle::gui {

enum class FileKind : std::uint8_t {
  kScenario,  // also what cannot be read: its reader says why
  kReport,    // of the validator
  kMachine,   // a text about wiring
};

/// By the name, and for JSON by what it says of itself.
FileKind kind_of_file(const std::string& file);

}  // namespace heddle::gui

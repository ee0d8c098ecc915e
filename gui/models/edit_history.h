#pragma once
// Undo and redo of a scenario's changes. A change is what `--set` takes, so that every state can be
// said on the command line; a state is the whole list, so that undo restores it exactly.

#include <string>
#include <utility>
#include <vector>

namespace heddle::gui {

/// In the order made; a path is listed once.
using Edits = std::vector<std::pair<std::string, std::string>>;

class EditHistory {
 public:
  /// Forgets everything: another file.
  void clear();
  /// `value` as JSON or a bare string, like --set. Changing a path again replaces it in place.
  void set(const std::string& path, const std::string& value);
  /// Takes the place of all changes; false if they are the same.
  bool set_all(std::string name, const Edits& edits);
  /// Back to what the file says; false if it says so already.
  bool reset(const std::string& path);
  /// False at the end of the history.
  bool undo();
  bool redo();
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < states_.size(); }
  /// "training.micro_batch = 2": what undo() or redo() is about.
  const std::string& undo_name() const { return states_[at_].name; }
  const std::string& redo_name() const { return states_[at_ + 1].name; }
  const Edits& edits() const { return states_[at_].edits; }
  /// The value of a changed path, null if it is not changed.
  const std::string* find(const std::string& path) const;

 private:
  struct State {
    std::string name;
    Edits edits;
  };
  void push(std::string name, Edits edits);

  std::vector<State> states_{State{}};
  std::size_t at_ = 0;
};

}  // namespace heddle::gui

#pragma once
// Changes that are not saved, kept beside the settings for the case that the program does not end
// by itself. A program has one journal, replaced whole at every change, and a lock on it; a journal
// whose lock nobody holds was left by a program that crashed or was killed. The scenario's own file
// is never touched.

#include <QLockFile>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "gui/models/edit_history.h"

namespace heddle::gui {

/// What a program that is gone left behind.
struct LostEdits {
  QString journal;  // where it stands
  std::string file;
  Edits edits;
};

class EditJournal {
 public:
  /// In this folder, which is made if need be; empty: nothing is kept.
  explicit EditJournal(const QString& folder);
  /// A program that ends by itself leaves nothing.
  ~EditJournal();
  EditJournal(const EditJournal&) = delete;
  EditJournal& operator=(const EditJournal&) = delete;

  /// The changes of that file as they are now; without changes there is no journal. What went
  /// wrong, or "".
  std::string keep(const std::string& file, const Edits& edits);

 private:
  QString path_;  // empty: nothing is kept
  std::unique_ptr<QLockFile> lock_;
};

/// Oldest first. Those that cannot be read are left alone.
std::vector<LostEdits> find_lost_edits(const QString& folder);
/// They were restored, or are not wanted.
void discard(const LostEdits& lost);

}  // namespace heddle::gui

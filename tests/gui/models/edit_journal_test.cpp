#include "gui/models/edit_journal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <csignal>

namespace heddle::gui {
namespace {

const Edits kEdits = {{"training.micro_batch", "2"}, {"name", "a \"quoted\" name"}};

class EditJournals : public testing::Test {
 protected:
  /// A program that keeps the changes and is killed.
  void lose(const std::string& file, const Edits& edits) const {
    const pid_t child = fork();
    if (child == 0) {
      EditJournal journal(folder_.path());
      journal.keep(file, edits);
      raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  QTemporaryDir folder_;
};

TEST_F(EditJournals, ChangesOfAKilledProgramAreFound) {
  lose("/somewhere/a.json", kEdits);
  const auto lost = find_lost_edits(folder_.path());
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].file, "/somewhere/a.json");
  EXPECT_EQ(lost[0].edits, kEdits);
  discard(lost[0]);
  EXPECT_TRUE(find_lost_edits(folder_.path()).empty());
}

TEST_F(EditJournals, AProgramThatRunsOrEndsByItselfHasLostNothing) {
  {
    EditJournal journal(folder_.path());
    EXPECT_EQ(journal.keep("a.json", kEdits), "");
    EXPECT_TRUE(find_lost_edits(folder_.path()).empty());
  }
  EXPECT_TRUE(find_lost_edits(folder_.path()).empty());
  EXPECT_TRUE(QDir(folder_.path()).isEmpty());
}

TEST_F(EditJournals, WithoutChangesThereIsNoJournal) {
  EditJournal journal(folder_.path());
  journal.keep("a.json", kEdits);
  journal.keep("a.json", {});
  EXPECT_TRUE(QDir(folder_.path()).entryList({"*.json"}).isEmpty());
}

TEST_F(EditJournals, EveryProgramHasItsOwn) {
  lose("a.json", kEdits);
  lose("b.json", {{"seed", "1"}});
  EditJournal one(folder_.path());
  EditJournal other(folder_.path());
  one.keep("c.json", kEdits);
  other.keep("d.json", kEdits);
  const auto lost = find_lost_edits(folder_.path());
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[0].file, "a.json");
  EXPECT_EQ(lost[1].file, "b.json");
}

TEST_F(EditJournals, WhatIsNoJournalIsLeftAlone) {
  for (const char* text :
       {"", "{", "[]", R"({"schema": "other/1", "file": "a", "edits": []})",
        R"({"schema": "heddle.edits/1", "file": "a", "edits": [{"path": 1}]})"}) {
    QFile file(QDir(folder_.path()).filePath("edits-1.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    EXPECT_TRUE(find_lost_edits(folder_.path()).empty()) << text;
    EXPECT_TRUE(file.exists());
  }
}

TEST_F(EditJournals, WithoutAFolderNothingIsKept) {
  EditJournal journal("");
  EXPECT_EQ(journal.keep("a.json", kEdits), "");
  EXPECT_TRUE(find_lost_edits("").empty());
  EditJournal nowhere("/proc/no/such/folder");
  EXPECT_EQ(nowhere.keep("a.json", kEdits), "");
}

}  // namespace
}  // namespace heddle::gui

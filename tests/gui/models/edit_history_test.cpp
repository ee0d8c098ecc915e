#include "gui/models/edit_history.h"

#include <gtest/gtest.h>

#include "sim/base/rng.h"

namespace heddle::gui {
namespace {

TEST(EditHistory, AChangedPathIsListedOnce) {
  EditHistory history;
  history.set("a", "1");
  history.set("b", "2");
  history.set("a", "3");
  EXPECT_EQ(history.edits(), (Edits{{"a", "3"}, {"b", "2"}}));
  EXPECT_EQ(history.undo_name(), "a = 3");
  EXPECT_TRUE(history.undo());
  EXPECT_EQ(history.edits(), (Edits{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(history.redo_name(), "a = 3");
}

TEST(EditHistory, ResetIsAChangeToo) {
  EditHistory history;
  EXPECT_FALSE(history.reset("a"));
  history.set("a", "1");
  EXPECT_TRUE(history.reset("a"));
  EXPECT_TRUE(history.edits().empty());
  EXPECT_TRUE(history.undo());
  ASSERT_NE(history.find("a"), nullptr);
  EXPECT_EQ(*history.find("a"), "1");
}

TEST(EditHistory, ANewChangeForgetsWhatWasUndone) {
  EditHistory history;
  history.set("a", "1");
  history.undo();
  history.set("b", "2");
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.edits(), (Edits{{"b", "2"}}));
}

TEST(EditHistory, TwoHundredRandomChangesUndone) {
  EditHistory history;
  Rng rng(7);
  std::vector<Edits> states{history.edits()};
  while (states.size() < 200) {
    const std::string path = std::string(1, static_cast<char>('a' + rng.uniform_int(0, 8)));
    history.set(path, std::to_string(rng.uniform_int(0, 49)));
    if (history.edits() != states.back()) states.push_back(history.edits());
  }
  for (std::size_t i = states.size() - 1; i > 0; --i) {
    EXPECT_EQ(history.edits(), states[i]);
    EXPECT_TRUE(history.undo());
  }
  EXPECT_EQ(history.edits(), states.front());
  EXPECT_FALSE(history.undo());
  while (history.redo()) {
  }
  EXPECT_EQ(history.edits(), states.back());
}

}  // namespace
}  // namespace heddle::gui

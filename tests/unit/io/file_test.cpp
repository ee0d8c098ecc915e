#include "sim/io/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sim/base/error.h"

namespace heddle::io {
namespace {

namespace fs = std::filesystem;

/// An empty folder of its own, gone with the test.
class File : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("heddle_file_") + test->name());
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

template <typename Call>
ErrorKind kind_of_failure(const Call& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::kUnsupported;
}

TEST_F(File, WritesWhatItReads) {
  const std::string text = std::string("a\r\n\0b", 5) + std::string(200'000, 'x');
  write_file(path("f"), text);
  EXPECT_EQ(read_file(path("f")), text);
}

TEST_F(File, ReplacesAndLeavesNothingBehind) {
  write_file(path("f"), "a long old text");
  write_file(path("f"), "new");
  EXPECT_EQ(read_file(path("f")), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(File, SaysWhyItCannotRead) {
  std::string message;
  EXPECT_EQ(kind_of_failure([&] { read_file(path("none")); }, &message), ErrorKind::kCannotRead);
  EXPECT_NE(message.find("none"), std::string::npos);
  EXPECT_NE(message.find("No such file"), std::string::npos);
  EXPECT_EQ(kind_of_failure([&] { read_file(folder_.string()); }), ErrorKind::kCannotRead);
}

TEST_F(File, EndlessFilesAreRefused) {
  EXPECT_EQ(kind_of_failure([] { read_file("/dev/zero"); }), ErrorKind::kCannotRead);
}

TEST_F(File, CannotWriteIntoAMissingFolder) {
  EXPECT_EQ(kind_of_failure([&] { write_file(path("none/f"), "x"); }), ErrorKind::kCannotWrite);
}

// A folder in the file's place defeats the write; what was there stays, and only that.
TEST_F(File, FailureKeepsTheOldContent) {
  fs::create_directory(folder_ / "f");
  write_file(path("f/inside"), "old");
  EXPECT_EQ(kind_of_failure([&] { write_file(path("f"), "x"); }), ErrorKind::kCannotWrite);
  EXPECT_EQ(read_file(path("f/inside")), "old");
  EXPECT_EQ(entries(), 1);
}

// Process ids come again in containers, so a leftover may bear this process's name.
TEST_F(File, LeftoverOfAKilledRunIsNoObstacle) {
  const std::string leftover = path("f") + "." + std::to_string(::getpid()) + "-0.tmp";
  write_file(leftover, "half a re");
  write_file(path("f"), "result");
  EXPECT_EQ(read_file(path("f")), "result");
  EXPECT_EQ(read_file(leftover), "half a re");
  EXPECT_EQ(entries(), 2);
}

TEST_F(File, FullDeviceIsAnError) {
  EXPECT_EQ(kind_of_failure([] { write_file("/dev/full", "x"); }), ErrorKind::kCannotWrite);
}

}  // namespace
}  // namespace heddle::io

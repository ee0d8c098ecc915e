#pragma once
// How the ranks of a run tell each other a few bytes outside of any collective: unique ids, plans
// to compare, a meeting before a run.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::device {

class Assembly {
 public:
  virtual ~Assembly() = default;
  /// Every rank's text by rank, once all are there; calls pair up by their order. nullopt: aborted.
  virtual std::optional<std::vector<std::string>> gather(const std::string& mine) = 0;
  /// Makes gather() return; from any thread.
  virtual void abort() = 0;
};

/// Threads of one process; each rank uses its own ThreadAssembly on the same Table.
class ThreadAssembly : public Assembly {
 public:
  class Table {
   public:
    explicit Table(int ranks) : texts_(static_cast<std::size_t>(ranks)) {}

   private:
    friend class ThreadAssembly;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> texts_;   // of the round under way
    std::vector<std::string> result_;  // of the one before
    std::size_t arrived_ = 0;
    std::uint64_t round_ = 0;
    bool aborted_ = false;
  };

  ThreadAssembly(Table& table, int rank) : table_(table), rank_(rank) {}
  std::optional<std::vector<std::string>> gather(const std::string& mine) override;
  void abort() override;

 private:
  Table& table_;
  int rank_;
};

}  // namespace heddle::device

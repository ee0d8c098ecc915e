#pragma once
// Puts the lines of mixed ranks and repeated initialisations together into communicators.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/io/import/nccl_log_line.h"

namespace heddle::io {

class NcclCommunicators {
 public:
  /// False if the message says nothing about a communicator.
  bool read(const NcclMessage& message, int line);
  /// Communicators in the order of their first line. To be called once.
  std::vector<NcclCommunicator> take();

  /// Lines with trees or rings that NCCL or another writer cut.
  const std::vector<int>& cut_lines() const { return cut_lines_; }

 private:
  /// What one thread of one process said between two initialisations; `part` has at most one rank.
  struct Segment {
    NcclCommunicator part;
    std::optional<int> speaker;  // the rank that spoke
    bool any = false;
  };

  bool read_wiring(Segment& segment, std::string_view text, int line);
  void read_init(const std::string& key, const InitLine& init, const NcclMessage& message,
                 int line);
  void flush(Segment& segment);
  std::size_t home_of(const Segment& segment);

  std::map<std::string, Segment> open_;  // by "host:pid:tid"
  std::vector<std::string> order_;       // of the keys, by first line
  std::vector<NcclCommunicator> done_;
  std::vector<std::set<int>> seen_;         // ranks, by communicator
  std::map<std::string, std::size_t> ids_;  // commId to communicator
  std::vector<std::size_t> nameless_;       // communicators without one
  std::vector<int> cut_lines_;
};

}  // namespace heddle::io

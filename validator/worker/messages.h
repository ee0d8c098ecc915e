#pragma once
// What the parent and its ranks tell each other. Every message is a frame of its own type; a
// payload that does not decode makes the sender a failed rank.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/execute/fault.h"
#include "validator/execute/rank_runner.h"
#include "validator/worker/wire.h"

namespace heddle::worker {

enum class MessageType : std::uint32_t {
  kHello = 1,  // rank -> parent, first
  kRequest,    // parent -> rank
  kProgress,   // rank -> parent, every tenth of a second while it runs
  kReport,     // rank -> parent, one per repeat
  kAbort,      // parent -> rank
  kQuit,       // parent -> rank
  kOffer,      // rank -> parent: its part of an assembly
  kOffers,     // parent -> rank: everybody's, once all are there
};

/// Who a rank is, and all that must be equal on every rank.
struct Hello {
  int rank = 0;
  int ranks = 1;
  std::int64_t pid = 0;
  std::string host;
  std::vector<std::pair<std::string, std::string>> versions;  // program, transport, settings
  std::vector<std::pair<std::string, std::string>> facts;     // that may differ: clocks, places
};

struct Request {
  std::string schedule_file;
  std::string schedule_hash;  // the rank refuses another
  std::string region_file;    // shared memory of the exchange, if the backend needs one
  execute::RunOptions options;
  int repeats = 1;
  Bytes memory = gibibytes(64);
  bool async_allocator = false;  // cudaMallocAsync in place of the caching allocator's rules
  execute::Fault fault;          // tests inject
};

struct Progress {
  std::uint32_t host_op = 0;
  std::array<device::StreamProgress, schedule::kStreamCount> streams;
};

struct Report {
  int repeat = 0;
  execute::RankRun run;
};

/// What a rank tells all others; any bytes.
struct Offer {
  std::string text;
};

/// By rank.
struct Offers {
  std::vector<std::string> texts;
};

Frame encode(const Hello& message);
Frame encode(const Request& message);
Frame encode(const Progress& message);
Frame encode(const Report& message);
Frame encode(const Offer& message);
Frame encode(const Offers& message);
Frame encode_empty(MessageType type);

/// nullopt if the payload is not exactly one such message.
std::optional<Hello> decode_hello(const Frame& frame);
std::optional<Request> decode_request(const Frame& frame);
std::optional<Progress> decode_progress(const Frame& frame);
std::optional<Report> decode_report(const Frame& frame);
std::optional<Offer> decode_offer(const Frame& frame);
std::optional<Offers> decode_offers(const Frame& frame);

}  // namespace heddle::worker

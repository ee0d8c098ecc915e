#include "sim/io/import/nccl_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/io/import/log_lines.h"
#include "sim/io/import/nccl_communicators.h"
#include "sim/io/import/nccl_log_details.h"
#include "sim/io/import/nccl_log_graph.h"
#include "sim/io/import/nccl_log_line.h"
#include "sim/io/import/nccl_version.h"

namespace heddle::io {
namespace {

constexpr const char* kHint = "run with NCCL_DEBUG=INFO and paste what every rank prints";

template <typename T>
void add_once(std::vector<T>& list, T item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  std::optional<NcclLog> read(std::string_view text) {
    int messages = 0;
    for (const LogLine& line : split_log_lines(text)) {
      if (auto version = find_nccl_version(line.text)) add_once(log_.versions, *version);
      for (const NcclMessage& message : split_messages(line.text)) {
        ++messages;
        read_message(message, line.number);
      }
    }
    if (messages == 0) {
      out_.error("no-nccl-lines", file_, "", 0, "no log of NCCL here: no line says \"NCCL INFO\"",
                 kHint);
      return std::nullopt;
    }
    log_.communicators = communicators_.take();
    report_doubts();
    return std::move(log_);
  }

 private:
  void read_message(const NcclMessage& message, int line) {
    if (message.warning) {
      if (warned_.emplace(message.text).second) log_.warnings_of_nccl.emplace_back(message.text);
    } else if (system_.read(message.text, message.raw, log_) ||
               communicators_.read(message, line)) {
      return;
    } else if (std::optional<NcclGraph> graph = parse_graph(message.text)) {
      log_.graphs.push_back(std::move(*graph));
    } else if (std::optional<NcclChoice> choice = parse_choice(message.text)) {
      log_.choices.push_back(std::move(*choice));
    } else if (std::optional<NcclSetting> setting = parse_setting(message.text)) {
      add_once(log_.environment, std::move(*setting));
    } else {
      read_network(message.text);
    }
  }

  void read_network(std::string_view text) {
    if (const auto name = after_prefix(text, "Using network ")) log_.network = *name;
    const auto plugin = after_prefix(text, "NET/Plugin: Loaded net plugin ");
    if (plugin) log_.network_plugin = *plugin;
    const auto devices = after_prefix(text, "NET/IB : Using ");
    if (!devices) return;
    for (const std::string_view word : words_of(*devices)) {
      const std::size_t close = word.find(']');  // "[0]mlx5_0:1/IB"
      if (!word.starts_with('[') || close == std::string_view::npos) continue;
      const std::string_view name = word.substr(close + 1);
      const std::size_t port = name.find(':');
      if (port != std::string_view::npos) add_once(log_.nics, std::string(name.substr(0, port)));
    }
  }

  void report_doubts() {
    for (const int line : communicators_.cut_lines()) {
      warn("cut-line", line, "the line is cut: what is missing is left out",
           "let every rank write its own file (NCCL_DEBUG_FILE=nccl.%h.%p)");
    }
    if (log_.versions.empty()) {
      warn("no-version", 0, "the log does not tell NCCL's version",
           "keep the line \"NCCL version ...\" of rank 0");
    }
    for (const NcclCommunicator& communicator : log_.communicators) report_doubts(communicator);
  }

  void report_doubts(const NcclCommunicator& communicator) {
    if (communicator.rings.empty()) {
      warn("no-rings", communicator.line, "no ring of this communicator is printed",
           "rank 0 prints them: keep its lines");
    } else if (communicator.rings_truncated) {
      warn("rings-truncated", communicator.line,
           "the rings have fewer ranks than the communicator: NCCL prints the first 20",
           "the hops (\"0[0] -> 1[1] via ...\") tell the rest where all ranks are in the log");
    }
    const auto seen = static_cast<int>(communicator.ranks.size());
    if (communicator.nranks && seen < *communicator.nranks) {
      warn("ranks-missing", communicator.line,
           fmt::format("{} of {} ranks are in the log", seen, *communicator.nranks), kHint);
    }
  }

  void warn(std::string code, int line, std::string message, std::string hint) {
    out_.add({Severity::kWarning, std::move(code), file_, "", line, std::move(message),
              std::move(hint)});
  }

  const std::string& file_;
  Diagnostics& out_;
  NcclLog log_;
  NcclCommunicators communicators_;
  SystemDump system_;
  std::set<std::string, std::less<>> warned_;
};

/// GPUs of the first communicator: by device number on one host, by rank on several.
std::vector<ImportedGpu> gpus_of(const NcclLog& log) {
  std::vector<ImportedGpu> gpus;
  if (log.communicators.empty()) return gpus;
  const std::vector<NcclRank>& ranks = log.communicators.front().ranks;
  std::set<std::string> hosts;
  for (const NcclRank& rank : ranks) hosts.insert(rank.host);
  for (const NcclRank& rank : ranks) {
    ImportedGpu gpu;
    const int device = rank.nvml_device >= 0 ? rank.nvml_device : rank.cuda_device;
    gpu.number = hosts.size() == 1 && device >= 0 ? device : rank.rank;
    gpu.line = rank.line;
    gpu.bus_id = rank.bus_id;
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::optional<Imported> import_nccl_log(std::string_view text, const std::string& file,
                                        Diagnostics& out) {
  std::optional<NcclLog> log = read_nccl_log(text, file, out);
  if (!log) return std::nullopt;
  Imported imported;
  imported.gpus = gpus_of(*log);
  for (const std::string& nic : log->nics) imported.nics.push_back({nic, 0});
  imported.details = std::make_shared<NcclLogDetails>(std::move(*log));
  return imported;
}

int nccl_log_confidence(std::string_view text) {
  if (text.find("NCCL INFO ") == std::string_view::npos) {
    return text.find("NCCL WARN ") == std::string_view::npos ? 0 : 50;
  }
  return 90;
}

}  // namespace

std::optional<NcclLog> read_nccl_log(std::string_view text, const std::string& file,
                                     Diagnostics& out) {
  return Reader(file, out).read(text);
}

ImporterSpec nccl_log_importer() {
  return {ImportKind::kNcclLog, "nccl-log", "any program under NCCL_DEBUG=INFO",
          nccl_log_confidence, import_nccl_log};
}

}  // namespace heddle::io

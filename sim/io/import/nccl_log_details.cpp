#include "sim/io/import/nccl_log_details.h"

#include <fmt/format.h>

#include <set>

#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

template <typename T>
void write_or_null(JsonWriter& writer, const char* key, const std::optional<T>& value) {
  writer.key(key);
  value ? writer.value(*value) : writer.null();
}

template <typename List>
void write_list(JsonWriter& writer, const char* key, const List& list) {
  writer.key(key).begin_array();
  for (const auto& item : list) writer.value(item);
  writer.end_array();
}

void write_rings(JsonWriter& writer, const NcclCommunicator& communicator) {
  writer.key("rings").begin_object();
  for (const auto& [channel, ranks] : communicator.rings) {
    writer.key(fmt::format("{}", channel)).begin_array().inline_from_here();
    for (const int rank : ranks) writer.value(rank);
    writer.end_array();
  }
  writer.end_object();
}

std::set<std::string> transports_of(const NcclCommunicator& communicator) {
  std::set<std::string> transports;
  for (const NcclHop& hop : communicator.hops) transports.insert(hop.transport);
  return transports;
}

/// Channels are what the ring lines number: "/24" where printed, else the rings themselves.
std::optional<int> channels_of(const NcclCommunicator& communicator) {
  if (communicator.rings.empty()) return std::nullopt;
  if (communicator.channels) return communicator.channels;
  return communicator.rings.rbegin()->first + 1;
}

void write_topology(JsonWriter& writer, const NcclCommunicator& communicator) {
  write_rings(writer, communicator);
  write_or_null(writer, "n_channels", channels_of(communicator));
  write_or_null(writer, "nranks", communicator.nranks);
  if (communicator.rings_truncated) writer.field("rings_truncated", true);
}

void write_communicator(JsonWriter& writer, const NcclCommunicator& communicator) {
  writer.begin_object().field("line", communicator.line).field("id", communicator.id);
  write_or_null(writer, "nnodes", communicator.nnodes);
  write_topology(writer, communicator);
  write_or_null(writer, "coll_channels", communicator.coll_channels);
  write_or_null(writer, "nvls_channels", communicator.nvls_channels);
  write_or_null(writer, "p2p_channels", communicator.p2p_channels);
  write_list(writer, "transports", transports_of(communicator));
  writer.field("ranks_seen", static_cast<std::int64_t>(communicator.ranks.size()));
  writer.field("complete", communicator.complete).end_object();
}

void write_choices(JsonWriter& writer, const std::vector<NcclChoice>& choices) {
  writer.key("choices").begin_array();
  for (const NcclChoice& choice : choices) {
    writer.begin_object().inline_from_here().field("collective", choice.collective);
    writer.field("bytes", choice.bytes).field("algorithm", choice.algorithm);
    writer.field("protocol", choice.protocol);
    write_or_null(writer, "time_us", choice.time_us);
    writer.end_object();
  }
  writer.end_array();
}

void write_graphs(JsonWriter& writer, const std::vector<NcclGraph>& graphs) {
  writer.key("graphs").begin_array();
  for (const NcclGraph& graph : graphs) {
    writer.begin_object().inline_from_here().field("pattern", graph.pattern);
    writer.field("channels", graph.channels).field("intra_gbs", graph.intra_gbs);
    writer.field("inter_gbs", graph.inter_gbs).field("intra_type", graph.intra_type);
    writer.field("inter_type", graph.inter_type).field("cross_nic", graph.cross_nic).end_object();
  }
  writer.end_array();
}

void write_links(JsonWriter& writer, const std::vector<DumpedLink>& links) {
  writer.key("links").begin_array();
  for (const DumpedLink& link : links) {
    writer.begin_object().inline_from_here().field("from", link.from).field("to", link.to);
    writer.field("type", link.type).field("gbs", link.gbs).end_object();
  }
  writer.end_array();
}

void write_environment(JsonWriter& writer, const std::vector<NcclSetting>& environment) {
  writer.key("environment").begin_array();
  for (const NcclSetting& setting : environment) {
    writer.value(fmt::format("{}={}", setting.name, setting.value));
  }
  writer.end_array();
}

}  // namespace

void NcclLogDetails::write(JsonWriter& writer) const {
  static const NcclCommunicator kNone;
  const std::vector<NcclCommunicator>& all = log.communicators;
  write_topology(writer, all.empty() ? kNone : all.front());
  std::set<std::string> transports;
  bool trees = false;
  for (const NcclCommunicator& communicator : all) {
    transports.merge(transports_of(communicator));
    trees = trees || !communicator.trees.empty();
  }
  write_list(writer, "transports", transports);
  writer.key("nccl_version");
  log.versions.empty() ? writer.null() : writer.value(log.versions.front());
  writer.field("has_trees", trees);
  write_list(writer, "nccl_versions", log.versions);
  write_or_null(writer, "network", log.network);
  write_or_null(writer, "network_plugin", log.network_plugin);
  write_environment(writer, log.environment);
  write_list(writer, "nccl_warnings", log.warnings_of_nccl);
  writer.key("communicators").begin_array();
  for (const NcclCommunicator& communicator : all) write_communicator(writer, communicator);
  writer.end_array();
  write_or_null(writer, "system_max_gbs", log.system_max_gbs);
  write_or_null(writer, "system_total_gbs", log.system_total_gbs);
  write_links(writer, log.links);
  write_graphs(writer, log.graphs);
  write_choices(writer, log.choices);
}

}  // namespace heddle::io

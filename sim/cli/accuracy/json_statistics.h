#pragma once
// Parts that every kind of accuracy report shares in JSON.

#include <string>
#include <vector>

#include "sim/cli/accuracy/record.h"
#include "sim/io/json_writer.h"

namespace heddle::cli::accuracy {

/// The figures of an object already begun, and its end.
void write_statistics(const GroupStatistics& group, io::JsonWriter& json);
/// "groups" and their "overall". `more(group, json)` writes what this kind of group has besides.
template <typename Group, typename More>
void write_groups(const std::vector<Group>& groups, io::JsonWriter& json, More more) {
  json.key("groups").begin_array();
  for (const Group& group : groups) {
    json.begin_object()
        .field("by", group.by)
        .field("name", group.statistics.name)
        .field("primary", group.is_primary);
    more(group, json);
    write_statistics(group.statistics, json);
  }
  json.end_array();
  json.key("overall").begin_object();
  write_statistics(overall_of(groups), json);
}
template <typename Group>
void write_groups(const std::vector<Group>& groups, io::JsonWriter& json) {
  write_groups(groups, json, [](const Group&, io::JsonWriter&) {});
}
void write_texts(const char* key, const std::vector<std::string>& texts, io::JsonWriter& json);
void write_unsupported(const std::vector<Unsupported>& unsupported, io::JsonWriter& json);

}  // namespace heddle::cli::accuracy

#include "sim/io/comm_writer.h"

#include <optional>

#include "sim/io/scenario_words.h"

namespace heddle::io {
namespace {

using collective::CommSettings;

template <typename Enum>
std::int64_t number(const std::optional<Enum>& value) {
  return value ? static_cast<std::int64_t>(*value) : -1;
}

template <typename T>
void add_if_set(StableHash& hash, std::string_view key, const T& value, const T& otherwise) {
  if (value == otherwise) return;
  hash.add(key).add(number(std::optional(value)));
}

template <typename T>
void add_if_set(StableHash& hash, std::string_view key, const std::optional<T>& value) {
  if (value) hash.add(key).add(number(value));
}

}  // namespace

void write_comm(JsonWriter& w, const CommSettings& comm) {
  const CommSettings unset;
  w.field("p2p", switches().name_of(comm.p2p));
  if (comm.p2p_level) w.field("p2p_level", p2p_levels().name_of(*comm.p2p_level));
  if (comm.shm != unset.shm) w.field("shm", switches().name_of(comm.shm));
  if (comm.nvls != unset.nvls) w.field("nvls", switches().name_of(comm.nvls));
  if (comm.algorithm) w.field("algorithm", algorithms().name_of(*comm.algorithm));
  if (comm.protocol) w.field("protocol", protocols().name_of(*comm.protocol));
  if (comm.min_ctas) w.field("min_ctas", *comm.min_ctas);
  if (comm.max_ctas) w.field("max_ctas", *comm.max_ctas);
  if (comm.ring_order != unset.ring_order) {
    w.field("ring_order", ring_orders().name_of(comm.ring_order));
  }
}

void hash_comm(StableHash& hash, const CommSettings& comm) {
  const CommSettings unset;
  hash.add(static_cast<std::int64_t>(comm.p2p));
  hash.add(number(comm.algorithm)).add(number(comm.protocol));
  add_if_set(hash, "p2p_level", comm.p2p_level);
  add_if_set(hash, "shm", comm.shm, unset.shm);
  add_if_set(hash, "nvls", comm.nvls, unset.nvls);
  add_if_set(hash, "min_ctas", comm.min_ctas);
  add_if_set(hash, "max_ctas", comm.max_ctas);
  add_if_set(hash, "ring_order", comm.ring_order, unset.ring_order);
}

}  // namespace heddle::io

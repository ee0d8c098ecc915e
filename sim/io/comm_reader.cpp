#include "sim/io/comm_reader.h"

#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

std::optional<int> optional_ctas(ScenarioFields& fields, std::string_view key) {
  // Absent and present are told apart by the object, so that asking marks the key as known.
  if (!fields.object().member(key)) return std::nullopt;
  return static_cast<int>(fields.integer(key, 1, kMaxCtas));
}

void check_ctas(const ScenarioFields& fields, const collective::CommSettings& comm,
                Diagnostics& out) {
  if (!comm.min_ctas || !comm.max_ctas || *comm.min_ctas <= *comm.max_ctas) return;
  fields.object()
      .member("min_ctas")
      ->error("conflict", "\"min_ctas\" is above \"max_ctas\"", "make it at most \"max_ctas\"",
              out);
}

}  // namespace

collective::CommSettings read_comm(ScenarioFields& fields) {
  collective::CommSettings comm;
  comm.p2p = fields.optional_word("p2p", switches()).value_or(comm.p2p);
  comm.p2p_level = fields.optional_word("p2p_level", p2p_levels());
  comm.shm = fields.optional_word("shm", switches()).value_or(comm.shm);
  comm.nvls = fields.optional_word("nvls", switches()).value_or(comm.nvls);
  comm.algorithm = fields.optional_word("algorithm", algorithms());
  comm.protocol = fields.optional_word("protocol", protocols());
  comm.min_ctas = optional_ctas(fields, "min_ctas");
  comm.max_ctas = optional_ctas(fields, "max_ctas");
  comm.ring_order = fields.optional_word("ring_order", ring_orders()).value_or(comm.ring_order);
  check_ctas(fields, comm, fields.diagnostics());
  return comm;
}

}  // namespace heddle::io

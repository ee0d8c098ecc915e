#pragma once
// The inverse of comm_reader.h: what differs from NCCL's own rule, and always "p2p".

#include "sim/base/stable_hash.h"
#include "sim/collective/settings.h"
#include "sim/io/json_writer.h"

namespace heddle::io {

void write_comm(JsonWriter& w, const collective::CommSettings& comm);

/// Settings left alone add nothing, so that hashes outlive new settings.
void hash_comm(StableHash& hash, const collective::CommSettings& comm);

}  // namespace heddle::io

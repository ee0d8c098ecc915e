#include "validator/gpu/cuda_nccl.h"

#include <fmt/format.h>

#include <cstring>

namespace heddle::gpu {
namespace {

using schedule::CollectiveKind;

constexpr int kLinearVersions = 2 * 1000 + 9 * 100;  // up to 2.8 the minor took one digit

abi::NcclHandle native(Communicator communicator) {
  return reinterpret_cast<abi::NcclHandle>(communicator);
}

int data_type(schedule::DType dtype) {
  switch (dtype) {
    case schedule::DType::kBFloat16:
      return abi::kNcclBFloat16;
    case schedule::DType::kFloat16:
      return abi::kNcclFloat16;
    default:
      return abi::kNcclFloat32;
  }
}

}  // namespace

std::string nccl_version_text(int code) {
  const int scale = code < kLinearVersions ? 1000 : 10000;
  return fmt::format("{}.{}.{}", code / scale, code % scale / 100, code % 100);
}

Problem CudaNccl::problem_of(abi::Code code, abi::NcclHandle handle, const char* call) const {
  if (code == 0 || code == abi::kNcclInProgress) return std::nullopt;
  const char* more = cuda_.nccl.last_error(handle);
  return device::Failure{
      device::FailureKind::kAsyncError,
      fmt::format("NCCL: {}: {}{}{}", call, cuda_.nccl.error_string(code),
                  more != nullptr && *more != '\0' ? ": " : "", more != nullptr ? more : "")};
}

Problem CudaNccl::unique_id(UniqueId& id) const {
  abi::NcclId made{};
  const abi::Code code = cuda_.nccl.unique_id(&made);
  std::memcpy(id.data(), made.internal, id.size());
  return problem_of(code, nullptr, "ncclGetUniqueId");
}

Problem CudaNccl::join(const UniqueId& id, int size, int position,
                       Communicator& communicator) const {
  abi::NcclId known{};
  std::memcpy(known.internal, id.data(), id.size());
  abi::NcclConfig config;
  abi::NcclHandle handle = nullptr;
  const abi::Code code = cuda_.nccl.init(&handle, size, known, position, &config);
  communicator = reinterpret_cast<Communicator>(handle);
  return problem_of(code, nullptr, "ncclCommInitRankConfig");
}

Problem CudaNccl::settled(Communicator communicator, bool& settled) const {
  abi::Code state = 0;
  const abi::Code code = cuda_.nccl.async_error(native(communicator), &state);
  if (auto problem = problem_of(code, native(communicator), "ncclCommGetAsyncError")) {
    return problem;
  }
  settled = state != abi::kNcclInProgress;
  return problem_of(state, native(communicator), "asynchronous error");
}

abi::Code CudaNccl::start(abi::NcclHandle handle, abi::StreamHandle stream,
                          const CollectiveCall& c) const {
  const auto elements = static_cast<std::size_t>(c.elements);
  const auto part = static_cast<std::size_t>(c.part);
  const int type = data_type(c.dtype);
  switch (c.kind) {
    case CollectiveKind::kAllReduce:
      return cuda_.nccl.all_reduce(c.input, c.output, elements, type, abi::kNcclSum, handle,
                                   stream);
    case CollectiveKind::kAllGather:
      return cuda_.nccl.all_gather(c.input, c.output, part, type, handle, stream);
    case CollectiveKind::kReduceScatter:
      return cuda_.nccl.reduce_scatter(c.input, c.output, part, type, abi::kNcclSum, handle,
                                       stream);
    case CollectiveKind::kBroadcast:
      return cuda_.nccl.broadcast(c.input, c.output, elements, type, 0, handle, stream);
    case CollectiveKind::kReduce:
      return cuda_.nccl.reduce(c.input, c.output, elements, type, abi::kNcclSum, 0, handle, stream);
    case CollectiveKind::kAllToAll:
    case CollectiveKind::kSendRecv:
      break;
  }
  return 0;
}

/// Sends and receives in one group: with every member its part, or once round the ring.
abi::Code CudaNccl::exchange(abi::NcclHandle handle, abi::StreamHandle stream,
                             const CollectiveCall& c, int size, int position) const {
  const int type = data_type(c.dtype);
  abi::Code worst = cuda_.nccl.group_start();
  const auto note = [&](abi::Code code) {
    if (code != 0 && code != abi::kNcclInProgress) worst = code;
  };
  if (c.kind == CollectiveKind::kSendRecv) {
    const auto elements = static_cast<std::size_t>(c.elements);
    note(cuda_.nccl.send(c.input, elements, type, (position + 1) % size, handle, stream));
    note(
        cuda_.nccl.receive(c.output, elements, type, (position + size - 1) % size, handle, stream));
  } else {
    const auto part = static_cast<std::size_t>(c.part);
    const std::int64_t step = c.part * byte_size(c.dtype);
    for (int peer = 0; peer < size; ++peer) {
      note(cuda_.nccl.send(c.input + peer * step, part, type, peer, handle, stream));
      note(cuda_.nccl.receive(c.output + peer * step, part, type, peer, handle, stream));
    }
  }
  const abi::Code ended = cuda_.nccl.group_end();
  return worst != 0 ? worst : ended;
}

Problem CudaNccl::collective(Communicator communicator, abi::StreamHandle stream,
                             const CollectiveCall& call, int size, int position) const {
  const abi::NcclHandle handle = native(communicator);
  const abi::Code code = is_point_to_point(call.kind)
                             ? exchange(handle, stream, call, size, position)
                             : start(handle, stream, call);
  return problem_of(code, handle, std::string(to_string(call.kind)).c_str());
}

/// Nothing is under way: finalize is there so that destroy need not wait.
void CudaNccl::leave(Communicator communicator) const {
  cuda_.nccl.finalize(native(communicator));
  bool settled = false;
  for (int polls = 0; polls < 1'000'000 && !settled; ++polls) {
    if (this->settled(communicator, settled)) break;
  }
  cuda_.nccl.destroy(native(communicator));
}

void CudaNccl::abort(Communicator communicator) const {
  cuda_.nccl.abort(native(communicator));
}

}  // namespace heddle::gpu

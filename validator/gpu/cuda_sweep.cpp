#include "validator/gpu/cuda_sweep.h"

#include <algorithm>
#include <array>

namespace heddle::gpu {

const char* const kSweepText = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry heddle_sweep(.param .u64 to, .param .u64 from, .param .u64 units)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.param.u64 %rd3, [units];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %nctaid.x;
  mul.wide.u32 %rd4, %r1, %r2;
  cvt.u64.u32 %rd5, %r3;
  add.u64 %rd4, %rd4, %rd5;
  mul.wide.u32 %rd6, %r4, %r2;
LOOP:
  setp.ge.u64 %p1, %rd4, %rd3;
  @%p1 bra DONE;
  shl.b64 %rd7, %rd4, 4;
  add.u64 %rd8, %rd2, %rd7;
  add.u64 %rd9, %rd1, %rd7;
  ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd8];
  st.global.v4.u32 [%rd9], {%r5, %r6, %r7, %r8};
  add.u64 %rd4, %rd4, %rd6;
  bra LOOP;
DONE:
  ret;
}
)";

namespace {

constexpr unsigned kThreads = 512;
constexpr std::size_t kUnit = 16;    // bytes a thread moves at once
constexpr unsigned kBlocksEach = 4;  // of a multiprocessor: 2048 threads fill it

}  // namespace

CudaSweep::CudaSweep(const CudaLibraries& cuda, int multiprocessors)
    : cuda_(cuda), multiprocessors_(multiprocessors) {
  abi::ModuleHandle module = nullptr;
  if (cuda_.driver.module_load(&module, kSweepText) != 0) return;
  if (cuda_.driver.module_function(&function_, module, "heddle_sweep") != 0) function_ = nullptr;
}

abi::Code CudaSweep::run(abi::StreamHandle stream, void* to, const void* from,
                         std::size_t bytes) const {
  if (function_ == nullptr) {
    return cuda_.runtime.memcpy_async(to, from, bytes, abi::kCopyDeviceToDevice, stream);
  }
  std::uint64_t units = bytes / kUnit;
  const std::uint64_t needed = (units + kThreads - 1) / kThreads;
  const std::uint64_t most = static_cast<std::uint64_t>(multiprocessors_) * kBlocksEach;
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, most));
  std::array<void*, 3> parameters{&to, &from, &units};
  return cuda_.driver.launch(function_, blocks, 1, 1, kThreads, 1, 1, 0, stream, parameters.data(),
                             nullptr);
}

}  // namespace heddle::gpu

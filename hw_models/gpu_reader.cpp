#include "hw_models/gpu_reader.h"

#include <utility>

#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

FlopRate& peak(model::GpuModel& gpu, schedule::DType dtype) {
  return gpu.peak[static_cast<std::size_t>(dtype)];
}

/// GPUs without TF32 ignore the switch for it and compute in fp32; without bf16 they compute
/// nothing in it.
void read_peaks(io::ObjectReader& object, model::GpuModel& gpu, Diagnostics& out) {
  using schedule::DType;
  const auto value = object.required("peak");
  if (!value) return;
  io::ObjectReader peaks(*value, out);
  QuantityReader quantity(peaks, out);
  peak(gpu, DType::kFloat32) = quantity.flop_rate("fp32");
  peak(gpu, DType::kFloat16) = quantity.flop_rate("fp16");
  peak(gpu, DType::kTensorFloat32) =
      peaks.optional("tf32") ? quantity.flop_rate("tf32") : gpu.peak_of(DType::kFloat32);
  if (peaks.optional("bf16")) peak(gpu, DType::kBFloat16) = quantity.flop_rate("bf16");
  if (peaks.optional("fp8")) peak(gpu, DType::kFloat8) = quantity.flop_rate("fp8");
  peaks.finish();
}

std::string origin_text(const Origin& origin) {
  return origin.kind + " " + origin.date + ": " + origin.source;
}

/// "power_busy" is what the card or module may draw, "power_idle" what it draws with nothing to do.
run::GpuPower read_power(QuantityReader& quantity) {
  run::GpuPower power;
  if (const auto busy = quantity.sourced_watts("power_busy")) {
    power.busy = busy->value;
    power.origin = "busy, " + origin_text(busy->origin);
  }
  if (const auto idle = quantity.sourced_watts("power_idle")) {
    power.idle = idle->value;
    power.origin += (power.origin.empty() ? "" : "; ") + ("idle, " + origin_text(idle->origin));
  }
  return power;
}

/// The file has been read: faults are told already.
std::vector<run::ValueSigma> read_sigmas(const io::Value& file) {
  std::vector<run::ValueSigma> sigmas;
  Diagnostics told;
  for (const std::string& key : file.keys()) {
    const auto quantity = file.member(key);
    if (!quantity || !quantity->member("sigma")) continue;
    io::ObjectReader fields(*quantity, told);
    const Origin origin = read_origin(fields, told);
    sigmas.push_back({key, origin.sigma_percent / 100, origin_text(origin)});
  }
  return sigmas;
}

}  // namespace

std::optional<GpuFile> read_gpu(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  QuantityReader quantity(object, out);
  const Head head = read_head(object, file, "heddle.gpu/1", out);
  model::GpuModel gpu;
  gpu.name = head.name;
  gpu.architecture = read_text(object, "architecture", out);
  gpu.driver_memory = quantity.bytes("driver_memory");
  gpu.hbm = quantity.bandwidth("hbm");
  gpu.hbm_efficiency = quantity.share("hbm_efficiency");
  gpu.sm_count = quantity.count("sm_count", "SMs", 1);
  read_peaks(object, gpu, out);
  gpu.gemm_efficiency = quantity.share("gemm_efficiency");
  if (gpu.peak_of(schedule::DType::kFloat8).flops_per_second > 0) {
    gpu.fp8_efficiency = quantity.share("fp8_efficiency");
  }
  gpu.tile_m = quantity.count("tile_m", "rows", 1);
  gpu.tile_n = quantity.count("tile_n", "columns", 1);
  gpu.attention_efficiency = quantity.share("attention_efficiency");
  gpu.kernel_floor = quantity.duration("kernel_floor");
  gpu.launch_latency = quantity.duration("launch_latency");
  gpu.context = quantity.bytes("context");
  gpu.cublas_workspace = quantity.bytes("cublas_workspace");
  gpu.nccl_base = quantity.bytes("nccl_base");
  gpu.nccl_per_peer = quantity.bytes("nccl_per_peer");
  run::GpuPower power = read_power(quantity);
  object.finish();
  if (out.error_count() != before) return std::nullopt;
  return GpuFile{gpu, head.summary, {read_sigmas(document->root()), std::move(power)}};
}

}  // namespace heddle::hw_models

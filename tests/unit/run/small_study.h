#pragma once
// A small model on four GPUs of two bridged quads, under DDP and FSDP.

#include <utility>

#include "sim/run/study.h"
#include "tests/support/collective_machines.h"

namespace heddle::run {

inline model::GpuModel small_gpu() {
  model::GpuModel gpu;
  gpu.name = "small";
  gpu.architecture = "hopper";
  gpu.driver_memory = gigabytes(10);
  gpu.hbm = {4'000'000'000'000};
  gpu.hbm_efficiency = 0.9;
  gpu.sm_count = 132;
  gpu.peak.fill({1e15});
  gpu.gemm_efficiency = 0.85;
  gpu.attention_efficiency = 0.4;
  gpu.kernel_floor = microseconds(2);
  gpu.launch_latency = microseconds(3);
  gpu.context = {500'000'000};
  gpu.cublas_workspace = mebibytes(32);
  gpu.nccl_base = {544'000'000};
  gpu.nccl_per_peer = {72'000'000};
  return gpu;
}

/// One machine: two bridged quads, whatever name is asked for.
class OneMachine : public HardwareCatalog {
 public:
  explicit OneMachine(model::GpuModel gpu) : gpu_(std::move(gpu)) {}
  std::vector<CatalogEntry> gpus() const override { return {}; }
  std::vector<CatalogEntry> nodes() const override { return {}; }
  std::vector<CatalogEntry> networks() const override { return {}; }
  std::optional<model::GpuModel> gpu(const std::string&, Diagnostics&) const override {
    return gpu_;
  }
  std::optional<fabric::Fabric> node(const std::string&, Diagnostics&) const override {
    return test::bridged_quads(test::h200_nvl());
  }
  std::optional<fabric::Fabric> cluster(const std::string& node, int, const std::string&,
                                        Diagnostics& out) const override {
    return this->node(node, out);
  }
  std::optional<collective::NcclTuning> nccl_tuning(const std::string&, const std::string&,
                                                    Diagnostics&) const override {
    return test::hopper();
  }
  std::optional<fabric::Fabric> from_import(const ImportedText& source,
                                            Diagnostics& out) const override {
    return this->node(source.like_node, out);
  }
  std::optional<std::string> fabric_file(const ImportedText&, Diagnostics&) const override {
    return std::nullopt;
  }
  std::vector<CatalogEntry> software() const override { return {}; }
  std::optional<model::GpuModel> with_software(const model::GpuModel& gpu, const std::string&,
                                               Diagnostics&) const override {
    return gpu;
  }
  std::vector<CatalogEntry> overlays() const override { return {}; }
  std::optional<fabric::CommParameters> overlaid(const fabric::CommParameters& comm,
                                                 const OverlaySource&,
                                                 Diagnostics&) const override {
    return comm;
  }
  std::string overlay_text(const CalibratedValues&) const override { return {}; }
  std::uint64_t content_hash() const override { return 7; }

 private:
  model::GpuModel gpu_;
};

inline Scenario small_scenario() {
  Scenario s;
  s.name = "small";
  s.file = "small.json";
  s.model.name = "small";
  s.model.hidden = 512;
  s.model.layers = 2;
  s.model.heads = 8;
  s.model.kv_heads = 8;
  s.model.head_dim = 64;
  s.model.ffn = 1024;
  s.model.vocab = 1000;
  s.batch = {1, 128};
  s.host = {microseconds(5), microseconds(20)};
  FabricChoice quad;
  quad.id = "quad";
  quad.node = "machine";
  quad.gpus = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
  quad.pointer = "/fabrics/0";
  quad.line = 7;
  s.fabrics.push_back(quad);
  s.strategies = {{"ddp", "ddp", "pytorch-ddp", {}, "/strategies/0"},
                  {"fsdp", "fsdp", "fsdp1", {}, "/strategies/1"}};
  return s;
}

inline std::optional<Study> study_of(Scenario scenario, Diagnostics& out,
                                     const model::GpuModel& gpu = small_gpu()) {
  const OneMachine catalog(gpu);
  return Study::create(std::move(scenario), catalog, nullptr, out);
}

}  // namespace heddle::run

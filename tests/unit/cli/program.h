#pragma once
// The whole program in-process: a folder of files, a catalog of two machines, and what came out.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/nearest_name.h"
#include "sim/cli/cli.h"
#include "tests/support/collective_machines.h"

namespace heddle::cli {

/// Nodes "switched" (8 GPUs behind NVSwitch) and "pcie" (4 GPUs, no NVLink), one GPU type.
class SmallCatalog : public run::HardwareCatalog {
 public:
  std::vector<run::CatalogEntry> gpus() const override { return {{"H200", "a large GPU"}}; }
  std::vector<run::CatalogEntry> nodes() const override {
    return {{"pcie", "no NVLink"}, {"switched", "NVSwitch"}};
  }
  std::vector<run::CatalogEntry> networks() const override { return {{"wire", "a network"}}; }
  std::optional<model::GpuModel> gpu(const std::string& name, Diagnostics&) const override {
    model::GpuModel gpu;
    gpu.name = name;
    gpu.architecture = "hopper";
    gpu.driver_memory = gigabytes(150);
    gpu.hbm = test::mb_per_s(4'000'000);
    gpu.hbm_efficiency = 0.9;
    gpu.sm_count = 100;
    gpu.peak.fill(FlopRate{1e15});
    gpu.gemm_efficiency = 0.7;
    gpu.attention_efficiency = 0.5;
    gpu.kernel_floor = microseconds(2);
    gpu.launch_latency = microseconds(4);
    return gpu;
  }
  std::optional<fabric::Fabric> node(const std::string& name, Diagnostics& out) const override {
    if (name == "switched") return test::nvswitch_node(test::h200_sxm());
    if (name == "pcie") return test::pcie_node(test::h200_sxm());
    const std::vector<std::string> known{"pcie", "switched"};
    out.error("unknown-node", "", "", 0, "unknown node \"" + name + "\"",
              suggest_name(name, known));
    return std::nullopt;
  }
  std::optional<fabric::Fabric> cluster(const std::string& name, int nodes, const std::string&,
                                        Diagnostics& out) const override {
    if (nodes == 1) return node(name, out);
    out.error("no-network", "", "", 0, "no network joins them");
    return std::nullopt;
  }
  std::optional<collective::NcclTuning> nccl_tuning(const std::string&, const std::string&,
                                                    Diagnostics&) const override {
    return test::hopper();
  }
  std::optional<fabric::Fabric> from_import(const run::ImportedText&, Diagnostics&) const override {
    return test::bridged_quads(test::h200_nvl());
  }
  std::vector<run::CatalogEntry> software() const override { return {}; }
  std::optional<model::GpuModel> with_software(const model::GpuModel& gpu, const std::string&,
                                               Diagnostics&) const override {
    return gpu;
  }
  std::vector<run::CatalogEntry> overlays() const override { return {}; }
  std::optional<fabric::CommParameters> overlaid(const fabric::CommParameters& comm,
                                                 const run::OverlaySource&,
                                                 Diagnostics&) const override {
    return comm;
  }
  std::string overlay_text(const run::CalibratedValues& values) const override {
    std::string text = values.source + "\n";
    for (const run::CalibratedValue& value : values.values) text += value.parameter + "\n";
    return text;
  }
  std::optional<std::string> fabric_file(const run::ImportedText& source,
                                         Diagnostics&) const override {
    return "machine of " + source.file + " with " + source.gpu + "\n";
  }
  std::uint64_t content_hash() const override { return 1; }
};

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

/// A test with a folder of its own that holds a small model and the scenario "tiny.json".
class Program : public testing::Test {
 protected:
  Program() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("heddle_cli_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    write("scenarios/models/tiny/config.json", kModel);
    write("tiny.json", scenario());
  }
  ~Program() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Outcome call(std::vector<std::string> arguments) const {
    std::vector<const char*> argv{"heddle"};
    for (const std::string& a : arguments) argv.push_back(a.c_str());
    std::ostringstream out;
    std::ostringstream err;
    const SmallCatalog catalog;
    const int code = run_cli(static_cast<int>(argv.size()), argv.data(),
                             {catalog, folder_.string(), out, err}, more_);
    return {code, out.str(), err.str()};
  }

  /// The scenario with one text replaced, for tests of bad input.
  static std::string scenario(const std::string& from = "", const std::string& to = "") {
    std::string text = kScenario;
    if (from.empty()) return text;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  std::vector<AddVerb> more_;  // verbs of parts above this one

 private:
  static constexpr const char* kModel = R"({
  "architectures": ["MistralForCausalLM"], "model_type": "mistral", "hidden_size": 256,
  "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
  "intermediate_size": 512, "vocab_size": 1000, "tie_word_embeddings": false,
  "sliding_window": null, "hidden_act": "silu", "torch_dtype": "bfloat16"
})";
  static constexpr const char* kScenario = R"({
  "schema": "heddle.scenario/1",
  "name": "tiny",
  "model": {"name": "tiny", "config": "scenarios/models/tiny/config.json"},
  "training": {
    "micro_batch": 1,
    "sequence_length": 128,
    "precision": "bf16",
    "optimizer": {"type": "adamw", "kernel": "foreach"}
  },
  "host": {"per_dispatch": "10 us", "per_collective": "20 us"},
  "fabrics": [
    {"id": "fast", "node": "switched", "gpus": [0, 1, 2, 3]},
    {"id": "slow", "node": "pcie", "gpus": [0, 1, 2, 3]}
  ],
  "strategies": ["ddp", "fsdp"],
  "assumptions": ["128 tokens are enough for a test"]
})";

  std::filesystem::path folder_;
};

inline void expect_text(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in\n" << text;
}

}  // namespace heddle::cli

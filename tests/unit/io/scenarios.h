#pragma once
// A scenario of every kind of entry, its files, and the reader on texts in memory.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/io/scenario_reader.h"

namespace heddle::io {

inline constexpr const char* kDecoderConfig = R"({
  "model_type": "llama", "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4,
  "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 1000,
  "tie_word_embeddings": false, "hidden_act": "silu"
})";

inline constexpr const char* kImageConfig = R"({
  "model_type": "dinov2", "hidden_size": 384, "num_hidden_layers": 2, "num_attention_heads": 6,
  "mlp_ratio": 4, "image_size": 518, "patch_size": 14, "num_channels": 3, "hidden_act": "gelu",
  "qkv_bias": true, "use_swiglu_ffn": false, "num_labels": 10
})";

inline constexpr const char* kScenario = R"({
  "schema": "heddle.scenario/1",
  "name": "small",
  "model": {"name": "tiny", "config": "models/tiny.json"},
  "training": {"micro_batch": 3, "sequence_length": 128, "precision": "autocast"},
  "host": {"per_dispatch": "5 us", "per_collective": "1.5 us"},
  "fabrics": [
    {"id": "fast", "node": "8xH200-SXM", "gpus": [2, 3]},
    {"id": "quads", "import": {"file": "quads.txt", "like": "8xH200-NVL"}, "gpus": "4, 0",
     "p2p": "off", "algorithm": "ring", "protocol": "ll128",
     "changes": [
       {"link": "gpu0 - cpu0", "state": "down"},
       {"link": "gpu0 -> gpu1", "capacity": "33.3 %"},
       {"link": "gpu0 -> gpu2", "capacity": "12.5 GB/s"},
       {"nvlink": "off", "gpu": 3},
       {"gpu": "gpu1", "speed": "80 %"}
     ],
     "background": [
       {"name": "checkpoint", "from": "gpu0", "to": "cpu0", "rate": "5 GB/s", "start": "10 ms"},
       {"name": "loading", "from": "cpu0", "to": "gpu1", "rate": "1 GB/s", "bytes": "2 GB",
        "period": "100 ms"},
       {"name": "other job", "kind": "all_reduce", "gpus": [5, "gpu6"], "bytes": "1 GiB",
        "period": "continuous"}
     ]}
  ],
  "strategies": ["zero1", {"id": "two", "strategy": "fsdp", "dialect": "fsdp2"}],
  "variation": {"kernel_noise": "1 %"},
  "cost": {"price": "2.99 USD/GPU-hour"}
})";

/// Files by resolved path; the scenario itself is "folder/x.json".
using Files = std::map<std::string, std::string>;

inline Files small_files() {
  return {{"folder/models/tiny.json", kDecoderConfig},
          {"folder/models/vit.json", kImageConfig},
          {"folder/quads.txt", "a matrix"}};
}

using OverrideList = std::vector<std::pair<std::string, std::string>>;

/// Makes the small scenario train an image model.
inline OverrideList image_training() {
  return {{"model.config", "models/vit.json"},
          {"training", R"({"micro_batch": 3, "precision": "fp32"})"}};
}

struct Read {
  std::optional<run::Scenario> scenario;
  Diagnostics out;

  std::string messages() const {
    std::string all;
    for (const Diagnostic& d : out.all()) all += format(d) + "\n";
    return all;
  }
};

inline Read read_text(const std::string& text, const OverrideList& overrides = {},
                      const Files& files = small_files()) {
  const ReadText read = [&](const std::string& path) {
    const auto found = files.find(path);
    if (found == files.end()) throw Error(ErrorKind::kCannotRead, "cannot read " + path);
    return found->second;
  };
  Read result;
  result.scenario = read_scenario(text, "folder/x.json", overrides, read, result.out);
  return result;
}

inline Read read_small(const OverrideList& overrides = {}, const Files& files = small_files()) {
  return read_text(kScenario, overrides, files);
}

}  // namespace heddle::io

// What a layer keeps on a GPU, in copies of the hidden state (bytes / 2 h T), against published
// readings: what a layer's forward leaves, its output included (records ACT-*).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

/// The number "measured" of the record, or -1.
double measured(const std::string& text, const std::string& id) {
  const std::size_t record = text.find('"' + id + '"');
  if (record == std::string::npos) return -1;
  const std::string key = "\"measured\":";
  return std::stod(text.substr(text.find(key, record) + key.size(), 20));
}

// Llama 3.1 8B and Mistral-7B have the same layer. Norms 16 h, q, k, v 6 h, attention output twice
// 4 h, MLP 28 h and the output 2 h make 28 copies; log-sum-exp, 1/rms, cos and sin 648 bytes of
// 8192 more. Gemma's norm is not laid out (fp32 scale, 1 + w).
TEST(MeasuredCopies, OfALayer) {
  const std::filesystem::path file = std::filesystem::path(HEDDLE_SOURCE_DIR) / ".." / "shared" /
                                     "reference" / "memory_points.json";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "the measurements are not beside this checkout";
  }
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::int64_t tokens = 32384;
  const auto g = build_model_graph(testing::mistral_7b(), {1, tokens}, Precision::kBFloat16);
  const std::int64_t hidden = 2 * 4096 * tokens;
  const double copies = static_cast<double>(testing::saved_bytes(g.modules[1]) + hidden) /
                        static_cast<double>(hidden);
  for (const char* id : {"ACT-llama3.1-8b", "ACT-mistral-7b"}) {
    const double reading = measured(text, id);
    EXPECT_NEAR(copies, reading, 0.01 * reading) << id;
  }
}

}  // namespace
}  // namespace heddle::model

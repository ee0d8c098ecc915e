#include "sim/model/model_flops.h"

#include <map>
#include <string>

#include "sim/model/vit.h"

namespace heddle::model {
namespace {

double real(std::int64_t value) {
  return static_cast<double>(value);
}

/// Weights of all layers' products.
double layer_products(const ModelSpec& s) {
  const double q = real(s.heads * s.head_dim);
  const double kv = real(s.kv_heads * s.head_dim);
  const double h = real(s.hidden);
  const double mlp = s.text_kind == TextKind::kLlama ? 3.0 : 2.0;
  const double layer = 2.0 * h * q + 2.0 * h * kv + mlp * h * real(s.ffn);
  return real(s.layers) * layer;
}

double text_products(const ModelSpec& s, const BatchShape& batch) {
  const double h = real(s.hidden);
  const double tokens = real(batch.micro_batch * batch.sequence);
  if (s.family == Family::kDecoder) return tokens * (layer_products(s) + h * real(s.vocab));
  const double classifier = h * (h + real(s.classes));  // with the pooler
  return tokens * layer_products(s) + real(batch.micro_batch) * classifier;
}

/// Weights of LoRA's adapters in one Llama layer.
double adapter_weights(const ModelSpec& s, const LoraOptions& lora) {
  const std::int64_t q = s.heads * s.head_dim;
  const std::int64_t kv = s.kv_heads * s.head_dim;
  const std::map<std::string, std::int64_t> in_plus_out = {
      {"q_proj", s.hidden + q},        {"k_proj", s.hidden + kv},
      {"v_proj", s.hidden + kv},       {"o_proj", q + s.hidden},
      {"gate_proj", s.hidden + s.ffn}, {"up_proj", s.hidden + s.ffn},
      {"down_proj", s.ffn + s.hidden}};
  std::int64_t sum = 0;
  for (const std::string& target : lora.targets) sum += in_plus_out.at(target);
  return real(lora.rank * sum);
}

double text_flops(const ModelSpec& s, const BatchShape& batch, const LoraOptions& lora) {
  const double products = text_products(s, batch);
  if (lora.rank == 0) return 6.0 * products;
  const double tokens = real(batch.micro_batch * batch.sequence);
  return 4.0 * products + 6.0 * tokens * real(s.layers) * adapter_weights(s, lora);
}

double vit_products(const ModelSpec& s, const BatchShape& batch) {
  const double h = real(s.hidden);
  const double images = real(batch.micro_batch);
  const double tokens = images * real(batch.sequence);
  const double layer = 4.0 * h * h + 2.0 * h * real(s.ffn);
  const double patch = h * real(s.channels * s.patch_size * s.patch_size);
  return tokens * real(s.layers) * layer + images * real(batch.sequence - 1) * patch +
         images * real(classifier_width(s) * s.classes);
}

}  // namespace

Flops model_flops(const ModelSpec& spec, const BatchShape& batch, const LoraOptions& lora) {
  const bool causal = spec.family == Family::kDecoder;
  const double tokens = real(batch.micro_batch * batch.sequence);
  const bool image = spec.family == Family::kVit;
  const double products = image ? 6.0 * vit_products(spec, batch) : text_flops(spec, batch, lora);
  const double attention =
      12.0 * tokens * real(batch.sequence) * real(spec.heads * spec.head_dim * spec.layers);
  return {products + (causal ? attention / 2.0 : attention)};
}

}  // namespace heddle::model

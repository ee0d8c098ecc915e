#pragma once
// Published dimensions of the models the tests speak of.

#include "sim/model/model_graph.h"

namespace heddle::model::testing {

inline ModelSpec mistral_7b() {
  ModelSpec s;
  s.name = "mistral-7b";
  s.hidden = 4096;
  s.layers = 32;
  s.heads = 32;
  s.kv_heads = 8;
  s.head_dim = 128;
  s.ffn = 14336;
  s.vocab = 32000;
  return s;
}

/// What plain ViT and DINOv2 have in common.
inline ModelSpec encoder(std::int64_t hidden, std::int64_t layers, std::int64_t heads) {
  ModelSpec s;
  s.family = Family::kVit;
  s.hidden = hidden;
  s.layers = layers;
  s.heads = heads;
  s.kv_heads = heads;
  s.head_dim = hidden / heads;
  s.ffn = 4 * hidden;
  s.image_size = 224;
  s.channels = 3;
  s.qkv_bias = true;
  return s;
}

inline ModelSpec vit(std::int64_t hidden, std::int64_t layers, std::int64_t heads) {
  ModelSpec s = encoder(hidden, layers, heads);
  s.name = "vit";
  s.position_image_size = 224;
  s.patch_size = 16;
  s.classes = 1000;
  return s;
}

inline ModelSpec vit_base() {
  return vit(768, 12, 12);
}
inline ModelSpec vit_large() {
  return vit(1024, 24, 16);
}

inline ModelSpec dinov2(std::int64_t hidden, std::int64_t layers, std::int64_t heads) {
  ModelSpec s = encoder(hidden, layers, heads);
  s.name = "dinov2";
  s.vit_kind = VitKind::kDinov2;
  s.position_image_size = 518;
  s.patch_size = 14;
  s.classes = 101;
  s.layer_scale = true;
  s.mask_token = true;
  return s;
}

inline ModelSpec dinov2_base() {
  return dinov2(768, 12, 12);
}
inline ModelSpec dinov2_large() {
  return dinov2(1024, 24, 16);
}

inline ModelSpec gemma_2b() {
  ModelSpec s = mistral_7b();
  s.name = "gemma-1.1-2b";
  s.hidden = 2048;
  s.layers = 18;
  s.heads = 8;
  s.kv_heads = 1;
  s.head_dim = 256;
  s.ffn = 16384;
  s.vocab = 256000;
  s.tied_embeddings = true;
  s.activation = Activation::kGelu;
  s.offset_norm = true;
  s.scaled_embedding = true;
  return s;
}

inline ModelSpec qwen2_7b() {
  ModelSpec s = mistral_7b();
  s.name = "qwen2.5-7b";
  s.hidden = 3584;
  s.layers = 28;
  s.heads = 28;
  s.kv_heads = 4;
  s.ffn = 18944;
  s.vocab = 152064;
  s.qkv_bias = true;
  return s;
}

inline ModelSpec qwen3_8b() {
  ModelSpec s = mistral_7b();
  s.name = "qwen3-8b";
  s.layers = 36;
  s.ffn = 12288;
  s.vocab = 151936;
  s.qk_norm = true;
  return s;
}

/// What LayerNorm language models have in common; without dropout.
inline ModelSpec text(TextKind kind, std::int64_t hidden, std::int64_t layers, std::int64_t heads,
                      std::int64_t vocab) {
  ModelSpec s;
  s.text_kind = kind;
  s.activation = Activation::kGelu;
  s.hidden = hidden;
  s.layers = layers;
  s.heads = heads;
  s.kv_heads = heads;
  s.head_dim = hidden / heads;
  s.ffn = 4 * hidden;
  s.vocab = vocab;
  s.qkv_bias = true;
  return s;
}

inline ModelSpec gpt2() {
  ModelSpec s = text(TextKind::kGpt2, 768, 12, 12, 50257);
  s.name = "gpt2";
  s.activation = Activation::kGeluNew;
  s.positions = 1024;
  s.tied_embeddings = true;
  s.fp32_logits = false;
  return s;
}

inline ModelSpec pythia_1b() {
  ModelSpec s = text(TextKind::kNeox, 2048, 16, 8, 50304);
  s.name = "pythia-1b";
  s.parallel_residual = true;
  s.rotary_dim = 64;
  s.fp32_logits = false;
  return s;
}

inline ModelSpec phi_1_5() {
  ModelSpec s = text(TextKind::kPhi, 2048, 24, 32, 51200);
  s.name = "phi-1.5";
  s.activation = Activation::kGeluNew;
  s.parallel_residual = true;
  s.rotary_dim = 32;
  return s;
}

inline ModelSpec mpt_7b() {  // with the position table of its benchmark
  ModelSpec s = text(TextKind::kMpt, 4096, 32, 32, 50368);
  s.name = "mpt-7b";
  s.positions = 2048;
  s.tied_embeddings = true;
  s.fp32_logits = false;
  return s;
}

inline ModelSpec bert_large() {
  ModelSpec s = text(TextKind::kBert, 1024, 24, 16, 30522);
  s.name = "bert-large";
  s.family = Family::kEncoder;
  s.positions = 512;
  s.token_types = 2;
  s.classes = 2;
  return s;
}

inline std::int64_t saved_bytes(const Module& module) {
  std::int64_t sum = 0;
  for (const SavedTensor& s : module.saved) sum += s.bytes.value;
  return sum;
}

inline int dispatches(const std::vector<Row>& rows) {
  int sum = 0;
  for (const Row& r : rows) sum += r.dispatches;
  return sum;
}

inline double gemm_flops(const std::vector<Row>& rows) {
  double sum = 0;
  for (const Row& r : rows) {
    if (r.kernel.kind == schedule::KernelKind::kGemm) sum += r.kernel.flops.value;
  }
  return sum;
}

}  // namespace heddle::model::testing

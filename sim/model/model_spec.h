#pragma once
// A model as its config.json describes it, checked and complete: nothing is guessed later.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::model {

enum class Family {
  kDecoder,  // causal language models
  kVit,      // ViT and DINOv2 image classifiers
  kEncoder,  // BERT sequence classifiers
};

/// What transformers makes of a language model's layer: names and order of its parts, and how they
/// are written (text_layout.h). kLlama stands for all with RMSNorm and a gated MLP; the others have
/// LayerNorm and a plain one.
enum class TextKind { kLlama, kGpt2, kNeox, kPhi, kBert, kMpt };

/// Of the MLP; SiLU and GELU (by error function or tanh) are one operator, "gelu_new" is written
/// out in eight.
enum class Activation { kSilu, kGelu, kGeluNew };

/// Probabilities in training; 0: the operator is skipped.
struct DropoutRates {
  double embedding = 0;
  double hidden = 0;     // of attention's and the MLP's output
  double attention = 0;  // of the attention probabilities
  double classifier = 0;
};

/// What transformers makes of a ViT: names and order of a layer's parameters, what the classifier
/// reads (cls, or [cls, mean of patches]), and whether the position table is resized to the image.
enum class VitKind { kPlain, kDinov2 };

/// A value that config.json did not hold and how it was obtained, shown to the user.
struct DerivedValue {
  std::string field;
  std::string value;
  std::string origin;
};

struct ModelSpec {
  std::string name;
  Family family = Family::kDecoder;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn = 0;  // intermediate size
  // decoder
  std::int64_t vocab = 0;
  bool tied_embeddings = false;
  std::int64_t sliding_window = 0;  // 0: none
  Activation activation = Activation::kSilu;
  bool qk_norm = false;           // RMSNorm of each head's queries and keys (Qwen3)
  bool offset_norm = false;       // RMSNorm in fp32 throughout, times 1 + w (Gemma)
  bool scaled_embedding = false;  // embeddings times sqrt(hidden) (Gemma)
  // language models other than Llama's relatives
  TextKind text_kind = TextKind::kLlama;
  bool parallel_residual = false;  // attention and MLP read the same input
  std::int64_t rotary_dim = 0;     // leading elements of a head that are rotated; 0: none
  std::int64_t positions = 0;      // rows of a learned position table; 0: none
  std::int64_t token_types = 0;    // rows of the token type table; 0: none
  bool fp32_logits = true;         // logits are upcast before they are returned
  bool biases = true;              // of LayerNorms and of the MLP's linear layers
  DropoutRates dropout;
  // vit
  VitKind vit_kind = VitKind::kPlain;
  std::int64_t image_size = 0;           // of the training input, square
  std::int64_t position_image_size = 0;  // the grid the position table was made for
  std::int64_t patch_size = 0;
  std::int64_t channels = 0;
  std::int64_t classes = 0;  // classification head, of text encoders too
  bool qkv_bias = false;
  bool layer_scale = false;
  bool mask_token = false;
  std::vector<DerivedValue> derived;
};

}  // namespace heddle::model

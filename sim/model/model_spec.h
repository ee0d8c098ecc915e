#pragma once
// A model as its config.json describes it, checked and complete: nothing is guessed later.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::model {

enum class Family { kDecoder, kVit };  // Llama/Mistral decoders; ViT/DINOv2 encoders

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
  // vit
  VitKind vit_kind = VitKind::kPlain;
  std::int64_t image_size = 0;           // of the training input, square
  std::int64_t position_image_size = 0;  // the grid the position table was made for
  std::int64_t patch_size = 0;
  std::int64_t channels = 0;
  std::int64_t classes = 0;  // classification head
  bool qkv_bias = false;
  bool layer_scale = false;
  bool mask_token = false;
  std::vector<DerivedValue> derived;
};

}  // namespace heddle::model

#pragma once
// RMSNorm as the Llama and Mistral classes of transformers write it, eager: in fp32
//
//   y = w * bf16(x / sqrt(mean(x^2) + eps))
//
// Saved: x in fp32 (the stream itself where that is fp32), 1/rms, the normalized tensor unless w is
// frozen, and y where a linear layer keeps it as it is (under autocast each keeps its own cast).
// Fused (Liger, Apex, Transformer Engine, torch.compile): x as it is, 1/rms and y.

// Gemma's: y = bf16(x / rms * (1 + w)), so the normalized tensor is kept in fp32, and 1 + w.

#include <string>

#include "sim/model/module_builder.h"

namespace heddle::model {

struct RmsForm {
  bool offset = false;          // Gemma's
  bool computed_input = false;  // x has the compute type, not the stream's (queries, keys)
};

class RmsNorm {
 public:
  /// `output_kept`: one of the linears that read y keeps its input.
  RmsNorm(ModuleBuilder& builder, const std::string& path, std::int64_t hidden, std::int64_t tokens,
          bool output_kept, RmsForm form = {});

  /// `live`: bytes alive meanwhile besides saved tensors, y included where it is not saved.
  /// `stream`: a saved tensor that its row is to keep of the stream, or -1.
  void forward(const Tensors& live, int stream = -1) const;
  void backward(const Tensors& live) const;
  /// y as a saved tensor, or -1; the last linear that needs it drops it.
  int output() const { return output_; }
  /// Bytes of y where no one saves it.
  std::int64_t loose_output() const { return output_ < 0 ? output_bytes_ : 0; }
  /// x as a saved tensor where it is the residual stream itself, not a copy; or -1.
  int stream() const { return keeps_stream_ ? input_ : -1; }

 private:
  void eager_backward(const Tensors& live) const;
  /// Whether x is cast to fp32 and back.
  bool casts() const { return stream_bytes_ != elements_ * 4; }

  ModuleBuilder& builder_;
  std::int64_t elements_;
  RmsForm form_;
  std::int64_t stream_bytes_;  // of x
  std::int64_t output_bytes_;  // of y
  bool fused_;
  bool keeps_stream_;
  int weight_ = -1;
  int input_ = -1;
  int inverse_rms_ = -1;
  int normalized_ = -1;
  int factor_ = -1;  // 1 + w
  int output_ = -1;
};

}  // namespace heddle::model

#include "sim/model/decoder_layer.h"

#include "sim/model/compiled_layer.h"
#include "sim/model/decoder_attention.h"
#include "sim/model/gated_mlp.h"
#include "sim/model/rms_norm.h"
#include "sim/model/stream_shape.h"

namespace heddle::model {
namespace {

// Torch modules with hooks: the layer, attention with four linears and the rotary embedding, the
// MLP with three linears and its activation, two norms; the norms of queries and keys. LoRA wraps a
// linear and adds dropout, A, B.
constexpr int kLayerModules = 14;
constexpr int kHeadNormModules = 2;
constexpr int kAdapterModules = 4;

class DecoderLayer {
 public:
  DecoderLayer(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options,
               bool recomputed);
  Module build();

 private:
  void forward();
  void backward();
  void add(RowBuilder row, bool input_saved) const;
  void round_gradient();
  /// The stream where no one saves it.
  std::int64_t loose_stream(const RmsNorm& norm) const {
    return norm.stream() < 0 ? stream_.bytes : 0;
  }
  bool keeps_input(const ComputeOptions& options, const std::vector<std::string>& linears) const;

  StreamShape stream_;
  ModuleBuilder builder_;
  int adapters_;
  bool compiled_;
  bool head_norms_;  // of queries and keys
  RmsNorm input_norm_;
  DecoderAttention attention_;
  RmsNorm post_norm_;
  GatedMlp mlp_;
  int input_ = -1;    // the layer's input as a saved tensor, where there is one
  bool input_saved_;  // by us or by the first norm, beyond its copy
};

bool DecoderLayer::keeps_input(const ComputeOptions& options,
                               const std::vector<std::string>& linears) const {
  if (builder_.fp8()) return false;
  if (!builder_.frozen()) return true;
  for (const std::string& linear : linears) {
    if (is_adapted(options.lora, linear)) return true;
  }
  return false;
}

DecoderLayer::DecoderLayer(const ModelSpec& spec, const BatchShape& batch,
                           const ComputeOptions& options, bool recomputed)
    : stream_(spec, batch, options),
      builder_("layer", ModuleKind::kLayer, options),
      adapters_(static_cast<int>(options.lora.targets.size())),
      compiled_(options.compiled),
      head_norms_(spec.qk_norm),
      input_norm_(builder_, "input_layernorm", spec.hidden, stream_.tokens,
                  keeps_input(options, {"q_proj", "k_proj", "v_proj"}), {spec.offset_norm}),
      attention_(builder_, spec, batch, recomputed),
      post_norm_(builder_, "post_attention_layernorm", spec.hidden, stream_.tokens,
                 keeps_input(options, {"gate_proj", "up_proj"}), {spec.offset_norm}),
      mlp_(builder_, spec, stream_.tokens),
      input_saved_(recomputed || options.fused_norm || options.compiled) {
  if (input_norm_.stream() >= 0) {
    builder_.hold(input_norm_.stream(), Held::kCheckpoint);
  } else if (recomputed) {
    input_ = builder_.saved("layer input", stream_.bytes, Held::kCheckpoint);
  }
}

/// `input_saved`: the stream before the sum is a saved tensor already.
void DecoderLayer::add(RowBuilder row, bool input_saved) const {
  row.traffic(3 * stream_.bytes)
      .dispatches(1)
      .transient(Tensors::copies(input_saved ? 2 : 3, stream_.bytes));
}

/// Autocast adds bf16 outputs to the fp32 stream; backward rounds the gradient on the way in.
void DecoderLayer::round_gradient() {
  if (!builder_.numerics().autocast()) return;
  const std::int64_t rounded = stream_.bytes / 2;
  builder_.backward("output grad cast")
      .traffic(stream_.bytes + rounded)
      .dispatches(1)
      .transient({stream_.bytes, rounded});
}

void DecoderLayer::forward() {
  const std::int64_t before = input_ < 0 ? loose_stream(input_norm_) : 0;
  const std::int64_t between = loose_stream(post_norm_);
  input_norm_.forward({before, input_norm_.loose_output()}, input_);
  attention_.forward(before, input_norm_.loose_output(), input_norm_.output());
  add(builder_.forward("residual"), input_saved_ && builder_.numerics().stream == 2);
  builder_.used({input_norm_.stream()});
  post_norm_.forward({between, post_norm_.loose_output()});
  mlp_.forward(between, post_norm_.loose_output(), post_norm_.output());
  add(builder_.forward("residual"), post_norm_.stream() >= 0 && builder_.numerics().stream == 2);
  builder_.used({post_norm_.stream(), mlp_.output()});
}

void DecoderLayer::backward() {
  round_gradient();
  mlp_.backward(stream_.bytes, post_norm_.output());
  post_norm_.backward(stream_.bytes);
  add(builder_.backward("residual backward"), false);
  round_gradient();
  attention_.backward(stream_.bytes, input_norm_.output());
  input_norm_.backward(stream_.bytes);
  add(builder_.backward("residual backward"), false);
  if (input_ >= 0) builder_.dropped({input_});
}

Module DecoderLayer::build() {
  forward();
  backward();
  Module layer = builder_.finish(kLayerModules + (head_norms_ ? kHeadNormModules : 0) +
                                 kAdapterModules * adapters_);
  if (compiled_) issue_as_graph(layer);
  return layer;
}

}  // namespace

Module build_decoder_layer(const ModelSpec& spec, const BatchShape& batch,
                           const ComputeOptions& options, bool recomputed) {
  return DecoderLayer(spec, batch, options, recomputed).build();
}

}  // namespace heddle::model

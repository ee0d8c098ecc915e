#include <optional>

#include "sim/model/layer_norm.h"
#include "sim/model/linear.h"
#include "sim/model/vit_layout.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {
namespace {

constexpr int kFlashBackwardKernels = 3;

/// Everything of one layer, in the order of its parameters.
class VitLayer {
 public:
  VitLayer(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options);
  Module build();

 private:
  struct Scale {
    int factor = -1;
    int input = -1;
  };
  /// Query, key or value.
  LinearShape projection(const char* path) const;
  LinearShape mlp_in() const;
  /// Back to the residual stream: the end of attention or MLP.
  LinearShape narrow_linear(const char* path, std::int64_t in, const char* name) const;
  LayerNorm norm(const char* path);
  /// Empty where the norms' parameters come last; the constructor fills it then.
  std::optional<LayerNorm> early_norm(const char* path);
  Scale scale(const char* path);
  schedule::Kernel flash(bool backward) const;
  void attention_forward();
  void attention_backward();
  void project_backward();
  void mlp_forward();
  void mlp_backward();
  void scale_forward(const Scale& scale);
  void scale_backward(const Scale& scale);
  void residual(const LayerNorm& norm);
  void branch_backward(const Scale& scale);
  void add(RowBuilder row) {
    row.traffic(3 * stream_).dispatches(1).transient(Tensors::copies(3, stream_));
  }
  /// Bytes of a branch's gradient besides the residual's: without layer scale and cast it is that.
  std::int64_t branch_gradient() const {
    return spec_.layer_scale || builder_.numerics().autocast() ? narrow_ : 0;
  }
  std::int64_t norm_output() const { return builder_.numerics().autocast() ? stream_ : 0; }

  const ModelSpec& spec_;
  const VitLayerLayout& layout_;
  BatchShape batch_;
  std::int64_t tokens_;
  ModuleBuilder builder_;
  std::int64_t stream_;  // bytes of a tokens x hidden tensor of the residual stream
  std::int64_t narrow_;  // the same in the compute type
  std::int64_t wide_;    // tokens x ffn in the compute type
  std::optional<LayerNorm> norm1_;
  Linear query_proj_;
  Linear key_proj_;
  Linear value_proj_;
  Linear dense_;
  Scale scale1_;
  std::optional<LayerNorm> norm2_;
  Linear fc1_;
  Linear fc2_;
  Scale scale2_;
  int query_;
  int key_;
  int value_;
  int output_;
  int log_sum_exp_;
  int hidden_;
  int activated_;
};

VitLayer::VitLayer(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options)
    : spec_(spec),
      layout_(vit_layer_layout(spec.vit_kind)),
      batch_(batch),
      tokens_(batch.micro_batch * batch.sequence),
      builder_("layer", ModuleKind::kLayer, options),
      stream_(tokens_ * spec.hidden * builder_.numerics().stream),
      narrow_(tokens_ * spec.hidden * builder_.numerics().compute),
      wide_(tokens_ * spec.ffn * builder_.numerics().compute),
      norm1_(early_norm(layout_.norm1)),
      query_proj_(builder_, projection("attention.attention.query"), tokens_),
      key_proj_(builder_, projection("attention.attention.key"), tokens_),
      value_proj_(builder_, projection("attention.attention.value"), tokens_),
      dense_(builder_, narrow_linear("attention.output.dense", spec.hidden, "dense"), tokens_),
      scale1_(scale("layer_scale1")),
      norm2_(early_norm(layout_.norm2)),
      fc1_(builder_, mlp_in(), tokens_),
      fc2_(builder_, narrow_linear(layout_.fc2, spec.ffn, "fc2"), tokens_),
      scale2_(scale("layer_scale2")),
      query_(builder_.saved("query", narrow_)),
      key_(builder_.saved("key", narrow_)),
      value_(builder_.saved("value", narrow_)),
      output_(builder_.saved("attention output", narrow_)),
      log_sum_exp_(builder_.saved("log-sum-exp", tokens_ * spec.heads * 4)),
      hidden_(builder_.saved("fc1 output", wide_)),
      activated_(builder_.saved("gelu(fc1)", wide_)) {
  if (!norm1_) norm1_.emplace(norm(layout_.norm1));
  if (!norm2_) norm2_.emplace(norm(layout_.norm2));
  builder_.hold(norm1_->input(), Held::kCheckpoint);
}

LayerNorm VitLayer::norm(const char* path) {
  return {builder_, path, spec_.hidden, tokens_};
}

std::optional<LayerNorm> VitLayer::early_norm(const char* path) {
  if (layout_.norms_last) return std::nullopt;
  return norm(path);
}

LinearShape VitLayer::projection(const char* path) const {
  return {.path = path,
          .in = spec_.hidden,
          .out = spec_.hidden,
          .bias = spec_.qkv_bias,
          .from_stream = true};
}

LinearShape VitLayer::mlp_in() const {
  return {.path = layout_.fc1,
          .in = spec_.hidden,
          .out = spec_.ffn,
          .bias = true,
          .from_stream = true,
          .name = "fc1"};
}

LinearShape VitLayer::narrow_linear(const char* path, std::int64_t in, const char* name) const {
  return {.path = path, .in = in, .out = spec_.hidden, .bias = true, .name = name};
}

VitLayer::Scale VitLayer::scale(const char* path) {
  if (!spec_.layer_scale) return {};
  builder_.begin_submodule();
  const std::string name(path);
  return {builder_.param(name + ".lambda1", {spec_.hidden}),
          builder_.saved(name + " input", narrow_)};
}

schedule::Kernel VitLayer::flash(bool backward) const {
  const auto s = static_cast<double>(batch_.sequence);
  const auto width = static_cast<double>(spec_.heads * spec_.head_dim);
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kAttention;
  kernel.dtype = builder_.numerics().dtype;
  kernel.backward = backward;
  kernel.batch = batch_.micro_batch * spec_.heads;
  kernel.m = batch_.sequence;
  kernel.n = batch_.sequence;
  kernel.k = spec_.head_dim;
  // Two products of 2 s^2 d each; backward has five (one recomputed).
  kernel.flops = {static_cast<double>(batch_.micro_batch) * s * s * width *
                  (backward ? 10.0 : 4.0)};
  kernel.bytes = {(backward ? 8 : 4) * narrow_};
  kernel.launches = backward ? kFlashBackwardKernels : 1;
  return kernel;
}

void VitLayer::attention_forward() {
  query_proj_.forward(norm_output(), query_);
  key_proj_.forward(norm_output(), key_);
  value_proj_.forward(norm_output(), value_);
  builder_.used({norm1_->output()});
  // detach; permute and view of q, k, v and of the output
  builder_.forward("attention")
      .attention(flash(false))
      .dispatches(10)
      .saves({output_, log_sum_exp_});
  builder_.used({query_, key_, value_});
  dense_.forward(spec_.layer_scale ? 0 : narrow_, scale1_.input);
  builder_.used({output_});
}

void VitLayer::scale_forward(const Scale& scale) {
  if (scale.factor < 0) return;
  builder_.forward("layer scale")
      .traffic(narrow_ + stream_)
      .dispatches(1)
      .transient(stream_)
      .reads({scale.factor});
  builder_.used({scale.input});
}

void VitLayer::residual(const LayerNorm& norm) {
  // A layer scale's output has the stream's type, a linear's the compute type.
  const std::int64_t bytes = 2 * stream_ + (spec_.layer_scale ? stream_ : narrow_);
  builder_.forward("residual")
      .traffic(bytes)
      .dispatches(1)
      .transient({stream_, stream_, bytes - 2 * stream_});
  builder_.used({norm.input()});
}

void VitLayer::branch_backward(const Scale& scale) {
  if (scale.factor >= 0) {
    scale_backward(scale);
  } else if (builder_.numerics().autocast()) {
    builder_.backward("branch gradient cast")
        .traffic(stream_ + narrow_)
        .dispatches(1)
        .transient({stream_, narrow_});
  }
}

void VitLayer::scale_backward(const Scale& scale) {
  // g x and its sum; g lambda, and its cast to what the linear made.
  const bool cast = builder_.numerics().autocast();
  builder_.backward("layer scale backward")
      .traffic(5 * stream_ + narrow_ + (cast ? stream_ + narrow_ : 0), cast ? 4 : 3)
      .dispatches(cast ? 7 : 6)
      .drops({scale.input})
      .transient({stream_, stream_, stream_, cast ? narrow_ : 0})
      .reads({scale.factor})
      .gradients({scale.factor});
}

void VitLayer::mlp_forward() {
  fc1_.forward(norm_output(), hidden_);
  builder_.used({norm2_->output()});
  builder_.forward("gelu").traffic(2 * wide_).dispatches(1).saves({activated_});
  builder_.used({hidden_});
  fc2_.forward(spec_.layer_scale ? 0 : narrow_, scale2_.input);
  builder_.used({activated_});
}

void VitLayer::mlp_backward() {
  fc2_.backward({stream_, branch_gradient(), wide_}, activated_);
  builder_.backward("gelu backward")
      .traffic(3 * wide_)
      .dispatches(1)
      .drops({hidden_})
      .transient({stream_, wide_, wide_});
  fc1_.backward({stream_, wide_, narrow_}, norm2_->output());
}

void VitLayer::attention_backward() {
  dense_.backward({stream_, branch_gradient(), narrow_});
  const std::int64_t accumulator = tokens_ * spec_.heads * spec_.head_dim * 4;
  const std::int64_t sums = tokens_ * spec_.heads * 4;
  builder_.backward("attention backward")
      .attention(flash(true))
      .dispatches(10)
      .drops({query_, key_, value_, output_, log_sum_exp_})
      .transient(Tensors{stream_, accumulator, sums} + Tensors::copies(4, narrow_));
  project_backward();
}

void VitLayer::project_backward() {
  value_proj_.backward(Tensors(stream_) + Tensors::copies(4, narrow_));
  key_proj_.backward(Tensors{stream_, stream_} + Tensors::copies(3, narrow_));
  add(builder_.backward("sum k and v"));
  query_proj_.backward({stream_, stream_, narrow_, narrow_}, norm1_->output());
  add(builder_.backward("sum q, k and v"));
}

Module VitLayer::build() {
  norm1_->forward();
  attention_forward();
  scale_forward(scale1_);
  residual(*norm1_);
  norm2_->forward();
  mlp_forward();
  scale_forward(scale2_);
  residual(*norm2_);

  branch_backward(scale2_);
  mlp_backward();
  norm2_->backward(stream_);
  add(builder_.backward("residual backward"));
  branch_backward(scale1_);
  attention_backward();
  norm1_->backward(stream_);
  add(builder_.backward("residual backward"));
  return builder_.finish(layout_.modules);
}

}  // namespace

Module build_vit_layer(const ModelSpec& spec, const BatchShape& batch,
                       const ComputeOptions& options) {
  return VitLayer(spec, batch, options).build();
}

}  // namespace heddle::model

#include "sim/model/text_layer.h"

#include <optional>

#include "sim/model/dropout.h"
#include "sim/model/layer_norm.h"
#include "sim/model/plain_mlp.h"
#include "sim/model/text_attention.h"

namespace heddle::model {
namespace {

class TextLayer {
 public:
  TextLayer(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options,
            bool recomputed);
  Module build();

 private:
  void add_part(TextPart part, const ModelSpec& spec, const BatchShape& batch);
  void pre_norm();
  void parallel();
  void post_norm();
  void add_forward(const Tensors& live = {});
  void add_backward();
  void attend(const Tensors& live, const Tensors& norm_output);
  void feed(const Tensors& live);
  void round_gradient();
  void attend_backward(int input);
  void feed_backward(const Tensors& live, int input);
  /// A norm's output where no one saves it.
  std::int64_t loose() const { return builder_.linears_cast_input() ? stream_ : 0; }
  /// A branch's gradient where it is not the stream's own.
  std::int64_t branch(const Dropout& dropout) const {
    return builder_.numerics().autocast() || dropout.active() ? narrow_ : 0;
  }

  const TextLayout& layout_;
  bool parallel_;
  bool recomputed_;
  std::int64_t tokens_;
  ModuleBuilder builder_;
  std::int64_t stream_;  // bytes of a tokens x hidden tensor of the residual stream
  std::int64_t narrow_;  // the same in the compute type
  std::optional<LayerNorm> norm1_;
  std::optional<LayerNorm> norm2_;
  std::optional<TextAttention> attention_;
  std::optional<PlainMlp> mlp_;
  std::optional<Dropout> dropout1_;
  std::optional<Dropout> dropout2_;
};

TextLayer::TextLayer(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options,
                     bool recomputed)
    : layout_(text_layout(spec.text_kind)),
      parallel_(spec.parallel_residual),
      recomputed_(recomputed),
      tokens_(batch.micro_batch * batch.sequence),
      builder_("layer", ModuleKind::kLayer, options),
      stream_(tokens_ * spec.hidden * builder_.numerics().stream),
      narrow_(tokens_ * spec.hidden * builder_.numerics().compute) {
  for (const TextPart part : layout_.order) add_part(part, spec, batch);
  const int input = layout_.post_norm ? norm2_->output() : norm1_->input();
  if (recomputed) builder_.hold(input, Held::kCheckpoint);
  const std::int64_t elements = tokens_ * spec.hidden;
  const std::int64_t compute = builder_.numerics().compute;
  dropout1_.emplace(builder_, "attention dropout", spec.dropout.hidden, elements, compute);
  dropout2_.emplace(builder_, "mlp dropout", spec.dropout.hidden, elements, compute);
}

void TextLayer::add_part(TextPart part, const ModelSpec& spec, const BatchShape& batch) {
  switch (part) {
    case TextPart::kNorm1:
      norm1_.emplace(builder_, layout_.norm1, spec.hidden, tokens_,
                     LayerNormShape{.bias = spec.biases});
      return;
    case TextPart::kNorm2:
      if (layout_.norm2 == nullptr) return;
      norm2_.emplace(builder_, layout_.norm2, spec.hidden, tokens_,
                     LayerNormShape{.bias = spec.biases,
                                    .shared_input = parallel_,
                                    .output_kept = recomputed_ && layout_.post_norm});
      return;
    case TextPart::kAttention:
      attention_.emplace(builder_, spec, batch);
      return;
    case TextPart::kMlp:
      mlp_.emplace(builder_, spec, tokens_);
      return;
  }
}

void TextLayer::add_forward(const Tensors& live) {
  builder_.forward("residual")
      .traffic(2 * stream_ + narrow_)
      .dispatches(1)
      .transient(live + Tensors{stream_, narrow_});
}

void TextLayer::add_backward() {
  builder_.backward("residual backward")
      .traffic(3 * stream_)
      .dispatches(1)
      .transient(Tensors::copies(3, stream_));
}

/// Autocast adds bf16 outputs to the fp32 stream; backward rounds the gradient on the way in.
void TextLayer::round_gradient() {
  if (!builder_.numerics().autocast()) return;
  builder_.backward("output grad cast")
      .traffic(stream_ + narrow_)
      .dispatches(1)
      .transient({stream_, narrow_});
}

void TextLayer::attend(const Tensors& live, const Tensors& norm_output) {
  attention_->forward(live, norm_output, layout_.post_norm ? -1 : norm1_->output());
  dropout1_->forward(live);
}

void TextLayer::feed(const Tensors& live) {
  mlp_->forward(live, loose(), norm2_ ? norm2_->output() : norm1_->output());
  dropout2_->forward(live);
}

void TextLayer::attend_backward(int input) {
  dropout1_->backward(stream_);
  attention_->backward(stream_, branch(*dropout1_), input);
}

void TextLayer::feed_backward(const Tensors& live, int input) {
  dropout2_->backward(live);
  mlp_->backward(live, branch(*dropout2_), input);
}

void TextLayer::pre_norm() {
  norm1_->forward();
  attend({}, loose());
  add_forward();
  norm2_->forward();
  feed({});
  add_forward();

  round_gradient();
  feed_backward(stream_, norm2_->output());
  norm2_->backward(stream_);
  add_backward();
  round_gradient();
  attend_backward(norm1_->output());
  norm1_->backward(stream_);
  add_backward();
}

void TextLayer::parallel() {
  // Attention's output waits for the MLP's; with one norm its output waits for the MLP, too.
  const bool one_norm = !norm2_;
  norm1_->forward();
  one_norm ? attend(loose(), {}) : attend({}, loose());
  if (!one_norm) norm2_->forward(narrow_);
  feed(narrow_);
  builder_.forward("sum of attention and mlp")
      .traffic(3 * narrow_)
      .dispatches(1)
      .transient(Tensors::copies(3, narrow_));
  add_forward();

  // Both branches get one gradient.
  round_gradient();
  const std::int64_t shared = builder_.numerics().autocast() ? narrow_ : 0;
  feed_backward(Tensors{stream_, shared}, one_norm ? -1 : norm2_->output());
  if (one_norm) {
    dropout1_->backward({stream_, stream_});
    attention_->backward({stream_, stream_}, branch(*dropout1_), norm1_->output());
  } else {
    norm2_->backward({stream_, shared});
    add_backward();
    attend_backward(norm1_->output());
  }
  norm1_->backward(stream_);
  add_backward();
}

void TextLayer::post_norm() {
  // The input was saved by the norm that made it. Under autocast that is left to the casts, and
  // the stream itself waits for the sum.
  attend(recomputed_ ? 0 : loose(), {});
  add_forward();
  norm1_->forward();
  mlp_->forward(loose(), {}, norm1_->output());
  dropout2_->forward(loose());
  add_forward();
  norm2_->forward();

  norm2_->backward({}, norm2_->output());
  round_gradient();
  feed_backward(stream_, norm1_->output());
  add_backward();
  norm1_->backward({});
  round_gradient();
  attend_backward(-1);
}

Module TextLayer::build() {
  if (layout_.post_norm) {
    post_norm();
  } else {
    parallel_ ? parallel() : pre_norm();
  }
  return builder_.finish(layout_.modules);
}

}  // namespace

Module build_text_layer(const ModelSpec& spec, const BatchShape& batch,
                        const ComputeOptions& options, bool recomputed) {
  return TextLayer(spec, batch, options, recomputed).build();
}

}  // namespace heddle::model

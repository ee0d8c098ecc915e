#include "sim/model/plain_mlp.h"

namespace heddle::model {
namespace {

// x / 2, x^3, times 0.044715, plus x, times sqrt(2 / pi), tanh (and the detach of its saved
// output), 1 +, product: passes over a tensor and operators.
constexpr int kChainPasses = 18;
constexpr int kChainKernels = 8;
constexpr int kChainOps = 9;

LinearShape wide(const ModelSpec& spec, const TextLayout& layout) {
  return {.path = layout.fc1,
          .in = spec.hidden,
          .out = spec.ffn,
          .bias = spec.biases,
          .from_stream = true,
          .name = "fc1",
          .transposed = layout.transposed};
}

LinearShape narrow(const ModelSpec& spec, const TextLayout& layout) {
  return {.path = layout.fc2,
          .in = spec.ffn,
          .out = spec.hidden,
          .bias = spec.biases,
          .from_stream = spec.activation == Activation::kGeluNew,
          .name = "fc2",
          .transposed = layout.transposed};
}

}  // namespace

PlainMlp::PlainMlp(ModuleBuilder& builder, const ModelSpec& spec, std::int64_t tokens)
    : builder_(builder),
      activation_(spec.activation),
      upcast_(chain() && builder.numerics().autocast()),
      wide_(tokens * spec.ffn * builder.numerics().compute),
      inner_(upcast_ ? tokens * spec.ffn * 4 : wide_),
      product_(tokens * spec.hidden * builder.numerics().compute),
      stream_(tokens * spec.hidden * builder.numerics().stream),
      fc1_(builder, wide(spec, text_layout(spec.text_kind)), tokens),
      fc2_(builder, narrow(spec, text_layout(spec.text_kind)), tokens) {
  input_ = builder.saved(upcast_ ? "fc1 output fp32" : "fc1 output", inner_);
  if (chain()) {
    half_ = builder.saved("fc1 output / 2", wide_);
    tanh_ = builder.saved("tanh", inner_);
    sum_ = builder.saved("1 + tanh", inner_);
  }
  if (!upcast_ && fc2_.keeps_input()) activated_ = builder.saved("gelu(fc1)", wide_);
}

void PlainMlp::forward(const Tensors& live, const Tensors& norm_output, int input) const {
  fc1_.forward(live + norm_output + Tensors(upcast_ ? wide_ : 0), upcast_ ? -1 : input_);
  builder_.used({input});
  if (chain()) {
    chain_forward(live);
  } else {
    builder_.forward("gelu")
        .traffic(2 * wide_)
        .dispatches(1)
        .saves({activated_})
        .transient(live + loose_output());
  }
  builder_.used({input_, half_, tanh_, sum_});
  fc2_.forward(live + Tensors{product_, upcast_ ? inner_ : loose_output()});
  builder_.used({activated_});
}

void PlainMlp::chain_forward(const Tensors& live) const {
  // At the sum and at the product two tensors of the chain are alive besides saved ones.
  const int casts = upcast_ ? 1 : 0;
  builder_.forward("gelu_new")
      .traffic(kChainPasses * inner_ + casts * (wide_ + inner_), kChainKernels + casts)
      .dispatches(kChainOps + casts)
      .saves({upcast_ ? input_ : -1, half_, tanh_, sum_, activated_})
      .transient(live + Tensors{inner_, inner_, upcast_ ? wide_ : loose_output()});
}

void PlainMlp::backward(const Tensors& live, std::int64_t d_output, int input) const {
  fc2_.backward(live + Tensors{d_output, wide_}, activated_);
  chain() ? chain_backward(live) : gelu_backward(live);
  fc1_.backward(live + Tensors{wide_, product_}, input);
}

void PlainMlp::gelu_backward(const Tensors& live) const {
  builder_.backward("gelu backward")
      .traffic(3 * wide_)
      .dispatches(1)
      .drops({input_})
      .transient(live + Tensors::copies(2, wide_));
}

void PlainMlp::chain_backward(const Tensors& live) const {
  // The product's two gradients; under autocast that of x / 2 is rounded.
  builder_.backward("gelu_new product backward")
      .traffic(6 * inner_ + (upcast_ ? inner_ + wide_ : 0), upcast_ ? 3 : 2)
      .dispatches(upcast_ ? 3 : 2)
      .drops({half_, sum_})
      .transient(live + Tensors::copies(3, inner_));
  // tanh (its saved output is detached) and sqrt(2 / pi).
  builder_.backward("gelu_new tanh backward")
      .traffic(5 * inner_, 2)
      .dispatches(3)
      .drops({tanh_})
      .transient(live + Tensors::copies(3, inner_));
  // 0.044715, 3 x^2 in two steps, times the gradient, the half's factor, two sums.
  builder_.backward("gelu_new cube backward")
      .traffic(17 * inner_ + (upcast_ ? inner_ + wide_ : 0), upcast_ ? 8 : 7)
      .dispatches(upcast_ ? 8 : 7)
      .drops({input_})
      .transient(live + Tensors::copies(5, inner_));
}

}  // namespace heddle::model

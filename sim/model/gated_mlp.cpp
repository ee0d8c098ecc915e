#include "sim/model/gated_mlp.h"

#include <string>

namespace heddle::model {
namespace {

constexpr int kFusedOps = 3;          // allocation, kernel, view
constexpr int kFusedBackwardOps = 3;  // two allocations, kernel

}  // namespace

GatedMlp::GatedMlp(ModuleBuilder& builder, const ModelSpec& spec, std::int64_t tokens)
    : builder_(builder),
      wide_(tokens * spec.ffn * builder.numerics().compute),
      product_(tokens * spec.hidden * builder.numerics().compute),
      stream_(tokens * spec.hidden * builder.numerics().stream),
      activation_(spec.activation == Activation::kSilu ? "silu" : "gelu"),
      fused_(builder.options().fused_mlp || builder.compiled()),
      repeated_(false),
      gate_proj_(builder,
                 {.path = "mlp.gate_proj", .in = spec.hidden, .out = spec.ffn, .from_stream = true},
                 tokens),
      up_proj_(builder,
               {.path = "mlp.up_proj",
                .in = spec.hidden,
                .out = spec.ffn,
                .from_stream = true,
                .shares_input = true},
               tokens),
      down_proj_(builder, {.path = "mlp.down_proj", .in = spec.ffn, .out = spec.hidden}, tokens) {
  gate_ = builder.saved("gate", wide_, builder.listed());
  if (!fused_) activated_ = builder.saved(std::string(activation_) + "(gate)", wide_);
  up_ = builder.saved("up", wide_);
  repeated_ = builder.options().fused_mlp && down_proj_.keeps_input();
  if (down_proj_.keeps_input() && !repeated_)
    gated_ = builder.saved(std::string(activation_) + "(gate) * up", wide_);
  if (builder.options().checkpointing == Checkpointing::kSelective) {
    output_ = builder.saved("down output", product_, Held::kCheckpoint);
  }
}

void GatedMlp::forward(const Tensors& residual, const Tensors& norm_output, int norm) const {
  const Tensors live = residual + norm_output;
  gate_proj_.forward(live, gate_);
  if (!fused_) {
    builder_.forward(activation_)
        .traffic(2 * wide_)
        .dispatches(1)
        .saves({activated_})
        .transient(live);
    builder_.used({gate_});
  }
  up_proj_.forward(live, up_);
  builder_.used({norm});
  const std::int64_t gated = gated_ < 0 ? wide_ : 0;
  builder_.forward("gate * up")
      .traffic(3 * wide_)
      .dispatches(fused_ ? kFusedOps : 1)
      .saves({gated_})
      .transient(residual + gated);
  builder_.used({fused_ ? gate_ : activated_, up_});
  down_proj_.forward(residual + Tensors{gated, output_ < 0 ? product_ : 0}, output_);
  builder_.used({gated_});
}

void GatedMlp::backward(const Tensors& residual, int norm) const {
  down_backward(residual);
  if (fused_) {
    fused_backward(residual);
  } else {
    activate_backward(residual);
  }
  gate_proj_.backward(residual + Tensors{wide_, stream_, stream_}, norm);
  builder_.backward("sum gate and up")
      .traffic(3 * stream_)
      .dispatches(1)
      .transient(residual + Tensors::copies(3, stream_));
}

void GatedMlp::down_backward(const Tensors& residual) const {
  const std::int64_t d_output = builder_.numerics().autocast() ? product_ : 0;
  const std::int64_t gated = repeated_ ? wide_ : 0;
  if (repeated_) {
    builder_.backward("gate * up again")
        .traffic(3 * wide_)
        .dispatches(kFusedOps)
        .transient(residual + Tensors{d_output, gated});
  }
  down_proj_.backward(residual + Tensors{d_output, gated, wide_}, gated_);
}

void GatedMlp::activate_backward(const Tensors& residual) const {
  builder_.backward("gate * up backward")
      .traffic(6 * wide_, 2)
      .dispatches(2)
      .drops({activated_, up_})
      .transient(residual + Tensors::copies(3, wide_));
  up_proj_.backward(residual + Tensors{wide_, wide_, stream_});
  builder_.backward(std::string(activation_) + " backward")
      .traffic(3 * wide_)
      .dispatches(1)
      .drops({gate_})
      .transient(residual + Tensors{wide_, wide_, stream_});
}

void GatedMlp::fused_backward(const Tensors& residual) const {
  // Reads gate, up and the product's gradient, writes two gradients.
  builder_.backward("gate * up backward")
      .traffic(5 * wide_)
      .dispatches(kFusedBackwardOps)
      .drops({gate_, up_})
      .transient(residual + Tensors::copies(3, wide_));
  up_proj_.backward(residual + Tensors{wide_, wide_, stream_});
}

}  // namespace heddle::model

#include "sim/model/gated_mlp.h"

namespace heddle::model {

GatedMlp::GatedMlp(ModuleBuilder& builder, const ModelSpec& spec, std::int64_t tokens)
    : builder_(builder),
      wide_(tokens * spec.ffn * builder.numerics().compute),
      product_(tokens * spec.hidden * builder.numerics().compute),
      stream_(tokens * spec.hidden * builder.numerics().stream),
      gate_proj_(builder,
                 {.path = "mlp.gate_proj", .in = spec.hidden, .out = spec.ffn, .from_stream = true},
                 tokens),
      up_proj_(builder,
               {.path = "mlp.up_proj", .in = spec.hidden, .out = spec.ffn, .from_stream = true},
               tokens),
      down_proj_(builder, {.path = "mlp.down_proj", .in = spec.ffn, .out = spec.hidden}, tokens) {
  gate_ = builder.saved("gate", wide_);
  activated_ = builder.saved("silu(gate)", wide_);
  up_ = builder.saved("up", wide_);
  gated_ = builder.saved("silu(gate) * up", wide_);
}

void GatedMlp::forward(const Tensors& residual, const Tensors& norm_output) const {
  const Tensors live = residual + norm_output;
  gate_proj_.forward(live, gate_);
  builder_.forward("silu").traffic(2 * wide_).dispatches(1).saves({activated_}).transient(live);
  up_proj_.forward(live, up_);
  builder_.forward("gate * up")
      .traffic(3 * wide_)
      .dispatches(1)
      .saves({gated_})
      .transient(residual);
  down_proj_.forward(residual + product_);
}

void GatedMlp::backward(const Tensors& residual, int norm) const {
  const std::int64_t d_output = builder_.numerics().autocast() ? product_ : 0;
  down_proj_.backward(residual + d_output + wide_, gated_);
  builder_.backward("gate * up backward")
      .traffic(6 * wide_, 2)
      .dispatches(2)
      .drops({activated_, up_})
      .transient(residual + Tensors::copies(3, wide_));
  up_proj_.backward(residual + Tensors{wide_, wide_, stream_});
  builder_.backward("silu backward")
      .traffic(3 * wide_)
      .dispatches(1)
      .drops({gate_})
      .transient(residual + Tensors{wide_, wide_, stream_});
  gate_proj_.backward(residual + Tensors{wide_, stream_, stream_}, norm);
  builder_.backward("sum gate and up")
      .traffic(3 * stream_)
      .dispatches(1)
      .transient(residual + Tensors::copies(3, stream_));
}

}  // namespace heddle::model

#include "sim/model/adapted_linear.h"

#include <algorithm>

namespace heddle::model {

bool is_adapted(const LoraOptions& lora, const std::string& name) {
  return lora.rank > 0 && std::ranges::find(lora.targets, name) != lora.targets.end();
}

AdaptedLinear::AdaptedLinear(ModuleBuilder& builder, const LinearShape& shape, std::int64_t tokens)
    : builder_(builder),
      name_(shape.path.substr(shape.path.rfind('.') + 1)),
      input_(tokens * shape.in *
             (shape.from_stream ? builder.numerics().stream : builder.numerics().compute)),
      narrow_(tokens * builder.options().lora.rank * builder.numerics().compute),
      output_(tokens * shape.out * builder.numerics().compute),
      base_(builder, shape, tokens) {
  const LoraOptions& lora = builder.options().lora;
  if (!is_adapted(lora, name_)) return;
  const auto part = [&](const char* which, std::int64_t in, std::int64_t out) {
    return LinearShape{.path = shape.path + "." + which,
                       .in = in,
                       .out = out,
                       .adapter = true,
                       .name = name_ + " " + which};
  };
  LinearShape down = part("lora_A", shape.in, lora.rank);
  down.from_stream = shape.from_stream;
  down_.emplace(builder, down, tokens);
  up_.emplace(builder, part("lora_B", lora.rank, shape.out), tokens);
  narrow_slot_ = builder.saved(name_ + " lora_A output", narrow_);
}

void AdaptedLinear::forward(const Tensors& live, int output) const {
  if (!down_) {
    base_.forward(live, output);
    return;
  }
  // `live` counts y where it is not saved: the frozen layer's output until the sum replaces it.
  const Tensors base = output < 0 ? live : live + output_;
  base_.forward(base);
  down_->forward(base, narrow_slot_);
  up_->forward(base + output_);
  builder_.used({narrow_slot_});
  builder_.forward(name_ + " lora scale")
      .traffic(2 * output_)
      .dispatches(1)
      .transient(base + Tensors::copies(2, output_));
  builder_.forward(name_ + " lora sum")
      .traffic(3 * output_)
      .dispatches(1)
      .saves({output})
      .transient(live + Tensors::copies(2, output_));
}

void AdaptedLinear::backward(const Tensors& live, int input) const {
  if (!down_) {
    base_.backward(live, input);
    return;
  }
  builder_.backward(name_ + " lora scale backward")
      .traffic(2 * output_)
      .dispatches(1)
      .transient(live + output_);
  up_->backward(live + Tensors{output_, narrow_}, narrow_slot_);
  down_->backward(live + narrow_);
  base_.backward(live + input_, input);
  builder_.backward(name_ + " lora gradient sum")
      .traffic(3 * input_)
      .dispatches(1)
      .transient(live + Tensors::copies(2, input_));
}

}  // namespace heddle::model

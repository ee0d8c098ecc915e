#include "sim/model/layer_norm.h"

namespace heddle::model {

LayerNorm::LayerNorm(ModuleBuilder& builder, const std::string& path, std::int64_t hidden,
                     std::int64_t tokens, const LayerNormShape& shape)
    : builder_(builder), bytes_(tokens * hidden * builder.numerics().stream) {
  builder.begin_submodule();
  weight_ = builder.param(path + ".weight", {hidden});
  if (shape.bias) bias_ = builder.param(path + ".bias", {hidden});
  if (!shape.shared_input) input_ = builder.saved(path + " input", bytes_);
  statistics_ = builder.saved(path + " mean, 1/sigma", tokens * 8);
  if (!builder.linears_cast_input() || shape.output_kept)
    output_ = builder.saved(path + " output", bytes_);
}

void LayerNorm::forward(const Tensors& live) const {
  builder_.forward("norm")
      .traffic(2 * bytes_)
      .dispatches(1)
      .saves({input_, statistics_, output_})
      .transient(live + (output_ < 0 ? bytes_ : 0))
      .reads({weight_, bias_});
}

void LayerNorm::backward(const Tensors& live, int output) const {
  // One kernel for the input's gradient (read 2, write 1), one for weight and bias (read 2).
  builder_.backward("norm backward")
      .traffic(5 * bytes_, 2)
      .dispatches(5)
      .drops({input_, statistics_, output})
      .transient(live + Tensors::copies(2, bytes_))
      .reads({weight_})
      .gradients({weight_, bias_});
}

}  // namespace heddle::model

#include "sim/model/linear.h"

#include "sim/base/check.h"
#include "sim/model/float8.h"

namespace heddle::model {
namespace {

// fp32 read and bf16 write, or the reverse.
constexpr std::int64_t kCastBytes = 6;

// Operators that reach the backend, counted with torch 2.5.1 (README, "Operators"): forward t,
// view, mm, view; weight gradient view, t, mm, t; input gradient t, mm, view, t and the hand-over
// of the gradient (2 detach); bias gradient sum, view and 2 detach.
constexpr int kForwardOps = 4;
constexpr int kWeightGradOps = 4;
constexpr int kInputGradOps = 6;
constexpr int kBiasGradOps = 4;
// Among them, where the weight is stored transposed (t; t and t) or the input is a matrix (view
// and view; one each way of backward).
constexpr int kForwardTransposes = 1;
constexpr int kWeightGradTransposes = 2;
constexpr int kForwardViews = 2;

}  // namespace

Linear::Linear(ModuleBuilder& builder, const LinearShape& shape, std::int64_t tokens)
    : builder_(builder),
      shape_(shape),
      name_(shape.name.empty() ? shape.path.substr(shape.path.rfind('.') + 1) : shape.name),
      tokens_(tokens),
      trainable_(shape.adapter || !builder.frozen()) {
  HEDDLE_CHECK(shape.bias || shape.input_gradient, "mm without a gradient of its input");
  builder.begin_submodule();
  weight_ = builder.param(shape.path + ".weight",
                          shape.transposed ? std::vector<std::int64_t>{shape.in, shape.out}
                                           : std::vector<std::int64_t>{shape.out, shape.in},
                          true, shape.adapter);
  if (shape.bias) bias_ = builder.param(shape.path + ".bias", {shape.out});
  if (fp8()) keep_fp8();
  if (!builder.numerics().autocast()) return;
  const std::int64_t element = builder.numerics().compute;
  weight_copy_ = builder.saved(name_ + " weight cast", shape.in * shape.out * element);
  if (!shape.from_stream) return;
  input_cast_ = trainable_ ? 0 : tokens * shape.in * element;
  if (trainable_) input_copy_ = builder.saved(name_ + " input cast", tokens * shape.in * element);
}

void Linear::cast_inputs(const Tensors& live) const {
  const int tensors = shape_.bias ? 2 : 1;
  builder_.forward(name_ + " weight cast")
      .traffic((shape_.in + tensors - 1) * shape_.out * kCastBytes, tensors)
      .dispatches(tensors)
      .saves({weight_copy_})
      .transient(live)
      .reads({weight_, bias_})
      .weight_cast();
  if (!shape_.from_stream) return;
  builder_.forward(name_ + " input cast")
      .traffic(tokens_ * shape_.in * kCastBytes)
      .dispatches(1)
      .saves({input_copy_})
      .transient(live + input_cast_);
}

void Linear::forward(const Tensors& live, int output) const {
  if (fp8()) return fp8_forward(live, output);
  if (builder_.numerics().autocast()) cast_inputs(live);
  builder_.forward(name_)
      .gemm(dtype(), tokens_, shape_.out, shape_.in)
      .dispatches(kForwardOps - (shape_.transposed ? kForwardTransposes : 0) -
                  (shape_.flat ? kForwardViews : 0))
      .saves({output})
      .transient(live + input_cast_)
      .reads({weight_, bias_});
  builder_.used({weight_copy_, input_copy_});
}

void Linear::cast_gradients(const Tensors& live) const {
  // The fp32 gradient exists as soon as the row that makes it; what comes on top is the bf16
  // product that it is cast from.
  const int tensors = shape_.bias ? 2 : 1;
  const std::int64_t elements = (shape_.in + tensors - 1) * shape_.out;
  builder_.backward(name_ + " gradient cast")
      .traffic(elements * kCastBytes, tensors)
      .dispatches(tensors)
      .transient(live + elements * builder_.numerics().compute)
      .weight_cast();
}

void Linear::weight_gradient(const Tensors& live, std::initializer_list<int> drops) const {
  builder_.backward(name_ + " weight grad")
      .gemm(dtype(), shape_.out, shape_.in, tokens_)
      .dispatches(kWeightGradOps - (shape_.transposed ? kWeightGradTransposes : 0) -
                  (shape_.flat ? 1 : 0))
      .drops(drops)
      .transient(live)
      .gradients({weight_});
}

void Linear::bias_gradient(const Tensors& live) const {
  builder_.backward(name_ + " bias grad")
      .traffic(tokens_ * shape_.out * builder_.numerics().compute)
      .dispatches(kBiasGradOps)
      .transient(live)
      .gradients({bias_});
}

void Linear::input_gradient(const Tensors& live, std::initializer_list<int> drops) const {
  builder_.backward(name_ + " input grad")
      .gemm(dtype(), tokens_, shape_.in, shape_.out)
      .dispatches(kInputGradOps - (shape_.flat ? 1 : 0))
      .drops(drops)
      .transient(live)
      .reads({weight_});
}

void Linear::backward(const Tensors& live, int input) const {
  if (fp8()) return fp8_backward(live, input);
  // Autograd frees a node's saved tensors when the node is done, that is after its last product.
  if (!trainable_) {
    input_gradient(live, {input, weight_copy_});
  } else if (!shape_.bias) {
    weight_gradient(live, {});
    input_gradient(live, {input, input_copy_, weight_copy_});
  } else {
    if (shape_.input_gradient) input_gradient(live, {});
    weight_gradient(live, {input, input_copy_, weight_copy_});
    bias_gradient(live);
  }
  if (builder_.numerics().autocast() && trainable_) cast_gradients(live);
  if (!builder_.numerics().autocast() || !shape_.from_stream || !shape_.input_gradient) return;
  builder_.backward(name_ + " input grad cast")
      .traffic(tokens_ * shape_.in * kCastBytes)
      .dispatches(1)
      .transient(live);
}

}  // namespace heddle::model

#include "sim/model/dropout.h"

#include <utility>

namespace heddle::model {

Dropout::Dropout(ModuleBuilder& builder, std::string name, double probability,
                 std::int64_t elements, std::int64_t element)
    : builder_(builder), name_(std::move(name)), elements_(elements), bytes_(elements * element) {
  if (probability > 0) mask_ = builder.saved(name_ + " mask", elements);
}

void Dropout::forward(const Tensors& live, int output) const {
  if (!active()) return;
  builder_.forward(name_)
      .traffic(2 * bytes_ + elements_)
      .dispatches(1)
      .saves({mask_, output})
      .transient(live + Tensors{bytes_, output < 0 ? bytes_ : 0});
}

void Dropout::backward(const Tensors& live) const {
  if (!active()) return;
  builder_.backward(name_ + " backward")
      .traffic(2 * bytes_ + elements_)
      .dispatches(1)
      .drops({mask_})
      .transient(live + Tensors::copies(2, bytes_));
}

}  // namespace heddle::model

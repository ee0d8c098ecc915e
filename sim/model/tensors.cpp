#include "sim/model/tensors.h"

namespace heddle::model {

Tensors::Tensors(std::int64_t bytes) : Tensors({bytes}) {}

Tensors::Tensors(std::initializer_list<std::int64_t> bytes) : bytes_(bytes) {
  std::erase(bytes_, 0);
}

Tensors Tensors::copies(int count, std::int64_t bytes) {
  Tensors out;
  if (bytes != 0) out.bytes_.assign(static_cast<std::size_t>(count), bytes);
  return out;
}

Tensors operator+(Tensors a, const Tensors& b) {
  a.bytes_.insert(a.bytes_.end(), b.bytes_.begin(), b.bytes_.end());
  return a;
}

}  // namespace heddle::model

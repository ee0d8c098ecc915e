#include "sim/model/float8.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kBlock = 32;  // values that share a scale of one byte

}  // namespace

std::int64_t fp8_bytes(Float8 scaling, std::int64_t elements) {
  return scaling == Float8::kBlock ? elements + elements / kBlock : elements;
}

CastCost fp8_cast(Float8 scaling, std::int64_t elements) {
  const std::int64_t cast = 2 * elements + 2 * fp8_bytes(scaling, elements);
  if (scaling == Float8::kCurrent) return {2 * elements + cast, 2};
  return {cast, 1};
}

}  // namespace heddle::model

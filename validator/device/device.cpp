#include "validator/device/device.h"

namespace heddle::device {

Bytes MemoryCount::total() const {
  Bytes sum;
  for (const Bytes bytes : allocated) sum += bytes;
  return sum;
}

}  // namespace heddle::device

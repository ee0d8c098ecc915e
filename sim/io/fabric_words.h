#pragma once
// The kinds of devices and links as fabric files spell them.

#include "sim/fabric/device.h"
#include "sim/io/scenario_words.h"

namespace heddle::io {

Vocabulary<fabric::DeviceKind> device_kinds();
Vocabulary<fabric::LinkKind> link_kinds();

}  // namespace heddle::io

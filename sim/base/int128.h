#pragma once
// 128-bit integers for exact intermediate products (bytes times 10^12 does not fit 64 bits).

namespace heddle {

__extension__ using Int128 = __int128;

}  // namespace heddle

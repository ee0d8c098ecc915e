#pragma once
// Why a group cannot run something, and what to do about it.

#include <string>

namespace heddle::collective {

struct Refusal {
  std::string code;
  std::string reason;
  std::string hint;
};

}  // namespace heddle::collective

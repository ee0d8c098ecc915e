#pragma once
// The factories behind the table in strategies.cpp. `dialect` is one the table lists.

#include <memory>
#include <string_view>

#include "sim/parallel/strategy.h"

namespace heddle::parallel {

std::unique_ptr<Strategy> make_single(std::string_view dialect);
std::unique_ptr<Strategy> make_ddp(std::string_view dialect);
std::unique_ptr<Strategy> make_zero0(std::string_view dialect);
std::unique_ptr<Strategy> make_zero1(std::string_view dialect);
std::unique_ptr<Strategy> make_zero2(std::string_view dialect);
std::unique_ptr<Strategy> make_zero3(std::string_view dialect);
std::unique_ptr<Strategy> make_megatron(std::string_view dialect);
std::unique_ptr<Strategy> make_fsdp(std::string_view dialect);

}  // namespace heddle::parallel

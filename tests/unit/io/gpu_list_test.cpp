#include "sim/io/gpu_list.h"

#include <gtest/gtest.h>

namespace heddle::io {
namespace {

// Three times 65536 and one GPU: more than a job has, so that the last word, which names one again,
// is counted but no longer compared with those before it.
TEST(GpuList, WhatIsBeyondAJobIsCountedAndNotKept) {
  std::vector<std::string> complaints;
  const auto complain = [&](std::string code, std::string message, std::string) {
    complaints.push_back(code + ": " + message);
  };
  const GpuList list = parse_gpu_list("0:0-65535,1:0-65535,2:0-65535,2:0", {3}, complain);
  EXPECT_TRUE(list.gpus.empty());
  EXPECT_EQ(complaints, std::vector<std::string>{"out-of-range: a job of 196609 GPUs is listed"});
}

}  // namespace
}  // namespace heddle::io

#include "sim/cli/place_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

namespace heddle::cli {
namespace {

/// "0-3,6"
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end - begin < 3
                ? fmt::format("{}", fmt::join(&numbers[begin], &numbers[end - 1] + 1, ","))
                : fmt::format("{}-{}", numbers[begin], numbers[end - 1]);
    begin = end;
  }
  return text;
}

/// GPU numbers used on a machine -> the machines where they are.
std::map<std::vector<int>, std::vector<int>> by_use(const Place& place) {
  std::map<int, std::vector<int>> gpus;
  for (const run::GpuPlace& gpu : place.gpus) gpus[gpu.node].push_back(gpu.gpu);
  std::map<std::vector<int>, std::vector<int>> nodes;
  for (const auto& [node, numbers] : gpus) nodes[numbers].push_back(node);
  return nodes;
}

}  // namespace

std::string node_gpu_text(const run::GpuPlace& gpu) {
  return fmt::format("{}:{}", gpu.node, gpu.gpu);
}

std::string place_text(const Place& place) {
  std::string text;
  for (const auto& [numbers, nodes] : by_use(place)) {
    if (!text.empty()) text += ' ';
    text += place.one_machine ? fmt::format("{}", fmt::join(numbers, ","))
                              : fmt::format("n{}:{}", ranges(nodes), ranges(numbers));
  }
  return text;
}

std::string use_text(const Place& place) {
  std::string text;
  for (const auto& [numbers, nodes] : by_use(place)) {
    if (!text.empty()) text += "; ";
    if (!place.one_machine) text += fmt::format("on nodes {}: ", ranges(nodes));
    text += fmt::format("CUDA_VISIBLE_DEVICES={}", fmt::join(numbers, ","));
  }
  return text;
}

}  // namespace heddle::cli

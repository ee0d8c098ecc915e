#include "sim/cli/accuracy/nic_text.h"

#include <algorithm>
#include <charconv>

namespace heddle::cli::accuracy {
namespace {

/// Figures of one text; 0: not told.
struct Figures {
  double count = 0;
  double per_nic = 0;
  double per_gpu = 0;
  double per_node = 0;
};

Figures figures_of(const NicRule& rule, const std::vector<std::string>& groups) {
  Figures f;
  f.per_nic = rule.gbps_per_nic;
  for (std::size_t i = 0; i < std::min(groups.size(), rule.groups.size()); ++i) {
    double number = 0;  // stays so for what is no number
    std::from_chars(groups[i].data(), groups[i].data() + groups[i].size(), number);
    switch (rule.groups[i]) {
      case NicFigure::kCount:
        f.count = number;
        break;
      case NicFigure::kGbpsPerNic:
        f.per_nic = number;
        break;
      case NicFigure::kGbpsPerGpu:
        f.per_gpu = number;
        break;
      case NicFigure::kGbpsPerNode:
        f.per_node = number;
        break;
    }
  }
  return f;
}

std::optional<NicsRead> spread(const Figures& f, int gpus, int used) {
  double count = f.count > 0 ? f.count : gpus;
  double total = f.per_node;
  if (f.per_gpu > 0) total = f.per_gpu * gpus;
  if (f.per_nic > 0) {
    if (f.count <= 0) count = used == 1 ? 1 : gpus;
    total = f.per_nic * count;
  }
  count = std::clamp(count, 1.0, static_cast<double>(gpus));
  if (total <= 0) return std::nullopt;
  return NicsRead{static_cast<int>(count), total / count};
}

}  // namespace

std::optional<NicsRead> nics_of(const std::string& text, const std::vector<NicRule>& rules,
                                int gpus, int used) {
  for (const NicRule& rule : rules) {
    const auto groups = rule.text.groups_in(text);
    if (groups) return spread(figures_of(rule, *groups), gpus, used);
  }
  return std::nullopt;
}

}  // namespace heddle::cli::accuracy

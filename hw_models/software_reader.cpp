#include "hw_models/software_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "hw_models/quantity.h"

namespace heddle::hw_models {
namespace {

SoftwareShares read_shares(const io::Value& value, Diagnostics& out) {
  io::ObjectReader object(value, out);
  QuantityReader quantity(object, out);
  SoftwareShares shares{quantity.optional_share("gemm_efficiency"),
                        quantity.optional_share("attention_efficiency"),
                        quantity.optional_share("attention_backward"),
                        quantity.optional_factor("overlap_cost"),
                        quantity.optional_share("hbm_efficiency"),
                        quantity.optional_share("fp8_efficiency")};
  object.finish();
  return shares;
}

}  // namespace

std::optional<Software> read_software(const DataFile& file, Diagnostics& out) {
  const int before = out.error_count();
  const auto document = io::JsonDocument::parse(file.text, file.path, out);
  if (!document) return std::nullopt;
  io::ObjectReader object(document->root(), out);
  const Head head = read_head(object, file, "heddle.software/1", out);
  Software software{head.name, head.summary, {}};
  if (const auto gpus = object.required("gpus")) {
    for (const std::string& name : gpus->keys()) {
      software.gpus[name] = read_shares(*gpus->member(name), out);
    }
  }
  object.finish();
  return out.error_count() == before ? std::optional(std::move(software)) : std::nullopt;
}

std::optional<model::GpuModel> apply(const Software& software, model::GpuModel gpu,
                                     Diagnostics& out) {
  const auto found = software.gpus.find(gpu.name);
  if (found == software.gpus.end()) {
    std::vector<std::string> known;
    for (const auto& [name, shares] : software.gpus) known.push_back(name);
    out.error("unknown-software", "", "", 0,
              fmt::format("what {} achieves on {} is not known", software.name, gpu.name),
              fmt::format("it is for {}; without \"software\" the GPU's own shares count",
                          fmt::join(known, ", ")));
    return std::nullopt;
  }
  const SoftwareShares& shares = found->second;
  // What a software loses of bf16 products it loses of fp8 ones, unless it is known apart.
  const double of_products =
      shares.gemm_efficiency.value_or(gpu.gemm_efficiency) / gpu.gemm_efficiency;
  gpu.fp8_efficiency = shares.fp8_efficiency.value_or(gpu.fp8_efficiency * of_products);
  gpu.gemm_efficiency = shares.gemm_efficiency.value_or(gpu.gemm_efficiency);
  gpu.attention_efficiency = shares.attention_efficiency.value_or(gpu.attention_efficiency);
  gpu.attention_backward = shares.attention_backward.value_or(gpu.attention_backward);
  gpu.overlap_cost = shares.overlap_cost.value_or(gpu.overlap_cost);
  gpu.hbm_efficiency = shares.hbm_efficiency.value_or(gpu.hbm_efficiency);
  return gpu;
}

}  // namespace heddle::hw_models

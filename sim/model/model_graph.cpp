#include "sim/model/model_graph.h"

#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/model/batch_check.h"
#include "sim/model/causal_loss.h"
#include "sim/model/checkpoint.h"
#include "sim/model/compute_check.h"
#include "sim/model/decoder.h"
#include "sim/model/model_flops.h"
#include "sim/model/text_model.h"
#include "sim/model/vit.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kIdBytes = 8;

/// Layers are alike but for the names of their parameters, and for checkpointing every k-th.
void repeat_layer(const ModelParts& parts, const ModelGraph& graph, std::vector<Module>& out) {
  for (std::int64_t i = 0; i < graph.spec.layers; ++i) {
    Module& copy = out.emplace_back(is_checkpointed(graph.compute, i) ? parts.checkpointed_layer
                                                                      : parts.layer);
    copy.name = "layers." + std::to_string(i);
    copy.layer = static_cast<int>(i);
    for (ParamTensor& p : copy.params) p.name = copy.name + "." + p.name;
  }
}

void assemble(ModelParts parts, ModelGraph& graph) {
  std::vector<Module>& out = graph.modules;
  out.reserve(static_cast<std::size_t>(graph.spec.layers) + 3);
  out.push_back(std::move(parts.embedding));
  repeat_layer(parts, graph, out);
  out.push_back(std::move(parts.head));
  out.push_back(std::move(parts.loss));
}

void lay_out_decoder(ModelGraph& graph) {
  assemble(build_decoder(graph.spec, graph.batch, graph.compute), graph);
  graph.tokens = graph.samples * graph.batch.sequence;
  graph.input_bytes = {graph.tokens * kIdBytes * 3};  // ids, labels, mask
  graph.output_bytes = causal_output_bytes(graph.spec, graph.batch, graph.compute);
}

void lay_out_text(ModelGraph& graph) {
  assemble(build_text_model(graph.spec, graph.batch, graph.compute), graph);
  graph.tokens = graph.samples * graph.batch.sequence;
  const bool classifies = graph.spec.family == Family::kEncoder;
  // ids, mask, and a label of each token or (with token types) of each sequence
  graph.input_bytes = {graph.tokens * kIdBytes * 3 + (classifies ? graph.samples * kIdBytes : 0)};
  graph.output_bytes = text_output_bytes(graph.spec, graph.batch, graph.compute);
}

void lay_out_vit(ModelGraph& graph) {
  const std::int64_t side = graph.spec.image_size / graph.spec.patch_size;
  graph.batch.sequence = side * side + 1;
  assemble(build_vit(graph.spec, graph.batch, graph.compute), graph);
  graph.tokens = graph.samples * graph.batch.sequence;
  const std::int64_t pixels = graph.spec.channels * graph.spec.image_size * graph.spec.image_size;
  graph.input_bytes = {graph.samples * (pixels * 4 + kIdBytes)};  // fp32 images, labels
  graph.output_bytes = {graph.samples * graph.spec.classes * 4};
}

}  // namespace

std::int64_t ParamTensor::numel() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

Bytes Row::transient() const {
  std::int64_t sum = 0;
  for (const Bytes& b : transients) sum += b.value;
  return {sum};
}

std::int64_t Module::numel() const {
  std::int64_t sum = 0;
  for (const ParamTensor& p : params) sum += p.numel();
  return sum;
}

std::int64_t ModelGraph::param_count() const {
  std::int64_t sum = 0;
  for (const Module& m : modules) sum += m.numel();
  return sum;
}

std::int64_t ModelGraph::trainable_count() const {
  std::int64_t sum = 0;
  for (const Module& m : modules) {
    for (const ParamTensor& p : m.params) sum += p.trainable ? p.numel() : 0;
  }
  return sum;
}

std::int64_t weight_bytes(Precision precision) {
  return precision == Precision::kBFloat16 || precision == Precision::kFloat16 ? 2 : 4;
}

ModelGraph build_model_graph(const ModelSpec& spec, const BatchShape& batch, Precision precision) {
  ComputeOptions compute;
  compute.precision = precision;
  return build_model_graph(spec, batch, compute);
}

ModelGraph build_model_graph(const ModelSpec& spec, const BatchShape& batch,
                             const ComputeOptions& compute) {
  for (const std::string& problem :
       {batch_problem(spec, batch), scores_problem(spec, batch, compute.attention),
        compute_problem(spec, compute)}) {
    HEDDLE_CHECK(problem.empty(), problem);
  }
  ModelGraph graph;
  graph.spec = spec;
  graph.batch = batch;
  graph.compute = compute;
  graph.samples = batch.micro_batch;
  if (spec.family == Family::kVit) {
    lay_out_vit(graph);
  } else {
    spec.text_kind == TextKind::kLlama ? lay_out_decoder(graph) : lay_out_text(graph);
  }
  graph.flops_per_step = model_flops(graph.spec, graph.batch, graph.compute.lora);
  return graph;
}

}  // namespace heddle::model

#include "sim/model/linear.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {
namespace {

// Operators that reach the backend (README): bicubic resize of the position table with its slices,
// views and concatenation; [cls, patches] concatenated and the positions added.
constexpr int kResizeOps = 10;
constexpr int kResizeBackwardOps = 13;
constexpr int kAssembleOps = 2;
constexpr int kPositionBackwardOps = 2;  // with the sum over images in the row below
constexpr int kAssembleBackwardOps = 4;
constexpr int kEmbeddingModules = 3;  // embeddings, patch embeddings, projection

struct Tables {
  int cls = -1;
  int mask = -1;
  int positions = -1;
  std::int64_t position_count = 0;
  bool resize = false;
};

Tables add_tables(ModuleBuilder& builder, const ModelSpec& spec) {
  Tables tables;
  const std::int64_t side = spec.position_image_size / spec.patch_size;
  tables.position_count = side * side + 1;
  tables.resize = spec.position_image_size != spec.image_size;
  builder.begin_submodule();
  tables.cls = builder.param("embeddings.cls_token", {1, 1, spec.hidden});
  if (spec.mask_token) tables.mask = builder.param("embeddings.mask_token", {1, spec.hidden});
  tables.positions =
      builder.param("embeddings.position_embeddings", {1, tables.position_count, spec.hidden});
  return tables;
}

void forward(ModuleBuilder& builder, const Tables& tables, std::int64_t stream,
             std::int64_t table) {
  const bool cast = builder.numerics().autocast();
  if (tables.resize) {
    // 16 neighbours of each new position come from cache: the table is read once.
    builder.forward("resize positions")
        .traffic(2 * table, 2)
        .dispatches(kResizeOps)
        .transient({stream, table})
        .reads({tables.positions});
  }
  builder.forward("tokens")
      .traffic(5 * stream + (cast ? stream : 0), cast ? 3 : 2)
      .dispatches(kAssembleOps + (cast ? 1 : 0))
      .transient({stream, stream})
      .reads({tables.cls, tables.positions});
}

void backward(ModuleBuilder& builder, const Tables& tables, std::int64_t stream,
              std::int64_t table) {
  const bool cast = builder.numerics().autocast();
  const int resize_kernels = 1 + 4 * 2 + 1;  // bicubic, four slices filled and copied, sum
  builder.backward("positions backward")
      .traffic(stream + (tables.resize ? 18 * table : table),
               1 + (tables.resize ? resize_kernels : 0))
      .dispatches(kPositionBackwardOps + (tables.resize ? kResizeBackwardOps : 1))
      .transient(Tensors(stream) + Tensors::copies(tables.resize ? 3 : 0, table))
      .gradients({tables.positions});
  builder.backward("tokens backward")
      .traffic(2 * stream, cast ? 2 : 1)
      .dispatches(kAssembleBackwardOps + (cast ? 1 : 0))
      .transient({stream, stream})
      .gradients({tables.cls, tables.mask});
}

}  // namespace

Module build_vit_embedding(const ModelSpec& spec, const BatchShape& batch,
                           const ComputeOptions& options) {
  ModuleBuilder builder("embed", ModuleKind::kEmbedding, options);
  const Numerics& numerics = builder.numerics();
  const Tables tables = add_tables(builder, spec);
  const std::int64_t patches = batch.micro_batch * (batch.sequence - 1);
  const std::int64_t depth = spec.channels * spec.patch_size * spec.patch_size;
  const std::int64_t stream = batch.micro_batch * batch.sequence * spec.hidden * numerics.stream;
  const std::int64_t table = tables.position_count * spec.hidden * numerics.stream;
  // The convolution's stride is its kernel size: a product of patches with the flattened kernel.
  const Linear projection(builder,
                          {.path = "embeddings.patch_embeddings.projection",
                           .in = depth,
                           .out = spec.hidden,
                           .bias = true,
                           .from_stream = true,
                           .input_gradient = false},
                          patches);
  int images = -1;
  if (numerics.stream == 2) {
    images =
        builder.saved(numerics.dtype == schedule::DType::kFloat16 ? "images fp16" : "images bf16",
                      patches * depth * 2);
    builder.forward("images cast").traffic(patches * depth * 6).dispatches(1).saves({images});
  }
  projection.forward(stream);
  forward(builder, tables, stream, table);
  backward(builder, tables, stream, table);
  projection.backward(stream, images);
  return builder.finish(kEmbeddingModules);
}

}  // namespace heddle::model

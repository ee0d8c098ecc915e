#include "sim/model/dropout.h"
#include "sim/model/layer_norm.h"
#include "sim/model/text_layout.h"
#include "sim/model/text_model.h"

#include <optional>
#include <string>

namespace heddle::model {
namespace {

constexpr int kIdBytes = 8;
// Gather's backward: fill, add rows; the gradient is handed on (2 detach).
constexpr int kTableBackwardOps = 3;
constexpr int kTableBackwardKernels = 2;
// Frequencies and positions to fp32, their product, concatenation, cos, sin, twice scaled and cast.
constexpr int kRotaryOps = 23;
constexpr int kRotaryKernels = 10;
constexpr int kRotaryCasts = 3;
constexpr int kRotaryBytes = 36;  // per position and element

class TextEmbedding {
 public:
  TextEmbedding(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options);
  Module build();

 private:
  int table(const char* name, std::int64_t rows);
  void gather();
  void rotary();
  void words_backward();
  void positions_backward();
  void token_types_backward();
  int tables() const { return 1 + (spec_.positions > 0) + (spec_.token_types > 0); }

  const ModelSpec& spec_;
  const TextLayout& layout_;
  BatchShape batch_;
  std::int64_t tokens_;
  ModuleBuilder builder_;
  std::int64_t stream_;
  std::int64_t row_;  // bytes of one sequence's positions
  int words_ = -1;
  int positions_ = -1;
  int token_types_ = -1;
  int cos_ = -1;
  int sin_ = -1;
  std::optional<LayerNorm> norm_;
  std::optional<Dropout> dropout_;
};

TextEmbedding::TextEmbedding(const ModelSpec& spec, const BatchShape& batch,
                             const ComputeOptions& options)
    : spec_(spec),
      layout_(text_layout(spec.text_kind)),
      batch_(batch),
      tokens_(batch.micro_batch * batch.sequence),
      builder_("embed", ModuleKind::kEmbedding, options),
      stream_(tokens_ * spec.hidden * builder_.numerics().stream),
      row_(batch.sequence * spec.hidden * builder_.numerics().stream) {
  if (!spec.tied_embeddings) words_ = table(layout_.words, spec.vocab);
  if (spec.positions > 0) positions_ = table(layout_.positions, spec.positions);
  if (spec.token_types > 0) token_types_ = table(layout_.token_types, spec.token_types);
  if (layout_.post_norm) {
    norm_.emplace(builder_, layout_.norm, spec.hidden, tokens_,
                  LayerNormShape{.output_kept = options.checkpointing != Checkpointing::kNone});
  }
  dropout_.emplace(builder_, "embedding dropout", spec.dropout.embedding, tokens_ * spec.hidden,
                   builder_.numerics().stream);
  if (spec.rotary_dim == 0) return;
  const std::int64_t bytes = batch.sequence * spec.rotary_dim * builder_.numerics().stream;
  cos_ = builder_.saved("rotary cos", bytes);
  sin_ = builder_.saved("rotary sin", bytes);
}

int TextEmbedding::table(const char* name, std::int64_t rows) {
  builder_.begin_submodule();
  return builder_.param(std::string(name) + ".weight", {rows, spec_.hidden});
}

void TextEmbedding::gather() {
  // Each table's rows are read and written, then summed; what was gathered lives to the end.
  const int sums = tables() - 1;
  const std::int64_t positions = spec_.positions > 0 ? row_ : 0;
  builder_.forward("embedding")
      .traffic(tables() * (tokens_ * kIdBytes + 2 * stream_) + 3 * sums * stream_, 1 + 2 * sums)
      .dispatches(layout_.embedding_ops)
      .transient(Tensors::copies(1 + sums, stream_) + Tensors(positions))
      .reads({words_, positions_, token_types_});
}

void TextEmbedding::rotary() {
  // Tables of the stream's type; with fp32 weights nothing is cast.
  const int casts = builder_.numerics().stream == 4 ? kRotaryCasts : 0;
  builder_.forward("rotary tables")
      .traffic(batch_.sequence * spec_.rotary_dim * kRotaryBytes, kRotaryKernels - casts)
      .dispatches(kRotaryOps - casts)
      .saves({cos_, sin_})
      .transient(stream_);
}

void TextEmbedding::positions_backward() {
  const std::int64_t table = spec_.positions * spec_.hidden * builder_.numerics().stream;
  builder_.backward("positions backward")
      .traffic(stream_ + 4 * row_ + table, 1 + kTableBackwardKernels)
      .dispatches(1 + kTableBackwardOps)
      .transient({stream_, row_})
      .gradients({positions_});
}

void TextEmbedding::token_types_backward() {
  const std::int64_t table = spec_.token_types * spec_.hidden * builder_.numerics().stream;
  builder_.backward("token types backward")
      .traffic(table + 3 * stream_, kTableBackwardKernels)
      .dispatches(kTableBackwardOps)
      .transient(stream_)
      .gradients({token_types_});
}

void TextEmbedding::words_backward() {
  // A tied table has its gradient from the head already: this one is a temporary added to it.
  const std::int64_t table = spec_.vocab * spec_.hidden * builder_.numerics().stream;
  const bool tied = spec_.tied_embeddings;
  builder_.backward("embedding backward")
      .traffic(table + 3 * stream_ + (tied ? 3 * table : 0), kTableBackwardKernels + (tied ? 1 : 0))
      .dispatches(kTableBackwardOps + (tied ? 1 : 0))
      .drops({cos_, sin_})
      .transient({stream_, tied ? table : 0})
      .gradients({words_});
}

Module TextEmbedding::build() {
  gather();
  if (spec_.rotary_dim > 0) rotary();
  if (norm_) norm_->forward();
  dropout_->forward({});

  dropout_->backward({});
  if (norm_) norm_->backward({}, norm_->output());
  if (positions_ >= 0) positions_backward();
  if (token_types_ >= 0) token_types_backward();
  words_backward();
  return builder_.finish(tables() + (norm_ ? 1 : 0) + 1);
}

}  // namespace

Module build_text_embedding(const ModelSpec& spec, const BatchShape& batch,
                            const ComputeOptions& options) {
  return TextEmbedding(spec, batch, options).build();
}

}  // namespace heddle::model

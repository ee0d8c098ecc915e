#include "sim/model/chunked_loss.h"

#include <algorithm>

#include "sim/model/softmax_passes.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kCastBytes = 6;

struct Piece {
  std::int64_t fp32;      // bytes
  std::int64_t computed;  // bytes in the compute type
  int log_softmax;
};

class ChunkedLoss {
 public:
  ChunkedLoss(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options,
              std::int64_t pieces);
  Module build();

 private:
  void forward(const Piece& piece);
  /// `done`: gradients of the pieces before, each a tensor.
  void backward(const Piece& piece, const Tensors& done);
  bool upcasts() const { return builder_.numerics().compute != 4; }

  ModuleBuilder builder_;
  bool compiled_;
  std::vector<Piece> pieces_;
  std::int64_t logits_ = 0;  // bytes as the head made them
};

ChunkedLoss::ChunkedLoss(const ModelSpec& spec, const BatchShape& batch,
                         const ComputeOptions& options, std::int64_t pieces)
    : builder_("loss", ModuleKind::kLoss, options), compiled_(options.compiled && pieces > 1) {
  const std::int64_t positions = batch.micro_batch * batch.sequence;
  const std::int64_t longest = (positions + pieces - 1) / pieces;
  for (std::int64_t first = 0; first < positions; first += longest) {
    const std::int64_t logits = std::min(longest, positions - first) * spec.vocab;
    const std::int64_t computed = logits * builder_.numerics().compute;
    pieces_.push_back({.fp32 = logits * 4,
                       .computed = computed,
                       .log_softmax = compiled_ ? builder_.saved("logits", computed)
                                                : builder_.saved("log-softmax", logits * 4)});
    logits_ += pieces_.back().computed;
  }
}

void ChunkedLoss::forward(const Piece& piece) {
  const std::int64_t upcast = upcasts() ? piece.fp32 : 0;
  if (upcasts()) {
    builder_.forward("upcast logits")
        .traffic(piece.fp32 / 4 * kCastBytes)
        .dispatches(1)
        .transient({logits_, upcast});
  }
  builder_.forward("log-softmax")
      .traffic(kSoftmaxPasses * piece.fp32)
      .dispatches(2)
      .saves({piece.log_softmax})
      .transient({logits_, upcast});
  builder_.forward("nll").traffic(piece.fp32 / 4).dispatches(1).transient({logits_, upcast});
}

void ChunkedLoss::backward(const Piece& piece, const Tensors& done) {
  builder_.backward("nll backward")
      .traffic(piece.fp32, 2)
      .dispatches(2)
      .transient(done + Tensors{piece.fp32});
  builder_.backward("log-softmax backward")
      .traffic(kSoftmaxBackwardPasses * piece.fp32)
      .dispatches(2)
      .drops({piece.log_softmax})
      .transient(done + Tensors{piece.fp32, piece.fp32});
  if (!upcasts()) return;
  builder_.backward("upcast logits backward")
      .traffic(piece.fp32 / 4 * kCastBytes)
      .dispatches(1)
      .transient(done + Tensors{piece.fp32, piece.computed});
}

Module ChunkedLoss::build() {
  for (const Piece& piece : pieces_) forward(piece);
  Tensors done;
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    backward(pieces_[i], done);
    done = done + Tensors{pieces_[i].computed};
  }
  return builder_.finish(1);
}

}  // namespace

Module build_chunked_loss(const ModelSpec& spec, const BatchShape& batch,
                          const ComputeOptions& options, std::int64_t pieces) {
  return ChunkedLoss(spec, batch, options, pieces).build();
}

}  // namespace heddle::model

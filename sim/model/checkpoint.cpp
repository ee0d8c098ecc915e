#include "sim/model/checkpoint.h"

#include <algorithm>

namespace heddle::model {
namespace {

std::size_t index(int value) {
  return static_cast<std::size_t>(value);
}

bool casts_trained_weight(const Module& layer, const Row& row) {
  return row.weight_cast && !row.reads.empty() && layer.params[index(row.reads.front())].trainable;
}

/// Of what a row saves: the part that a repetition in backward makes again.
std::vector<int> made_again(const Module& layer, const Row& row) {
  std::vector<int> out;
  for (const int slot : row.saves) {
    const Held held = layer.saved[index(slot)].held;
    if (held == Held::kBackward || held == Held::kForward) out.push_back(slot);
  }
  return out;
}

/// Drops in forward what backward makes again, after its last use.
void drop_in_forward(const Module& layer, std::vector<Row>& forward) {
  for (std::size_t i = 0; i < forward.size(); ++i) {
    for (const int slot : forward[i].saves) {
      const SavedTensor& tensor = layer.saved[index(slot)];
      if (tensor.held != Held::kBackward) continue;
      forward[std::max(i, tensor.last_read < 0 ? i : index(tensor.last_read))].drops.push_back(
          slot);
    }
  }
}

/// A kept output that backward itself does not want goes once its last reader is repeated.
void drop_when_repeated(const Module& layer, std::vector<Row>& repeated) {
  std::vector<bool> dropped(layer.saved.size(), false);
  for (const Row& row : layer.backward) {
    for (const int slot : row.drops) dropped[index(slot)] = true;
  }
  for (std::size_t slot = 0; slot < dropped.size(); ++slot) {
    const SavedTensor& tensor = layer.saved[slot];
    if (dropped[slot] || tensor.held != Held::kCheckpoint) continue;
    repeated[index(tensor.last_read)].drops.push_back(static_cast<int>(slot));
  }
}

std::vector<Row> repeated_rows(const Module& layer, Bytes gradient) {
  std::vector<Row> rows = layer.forward;
  for (Row& row : rows) row.transients.push_back(gradient);
  drop_when_repeated(layer, rows);
  std::vector<Row> out;
  for (Row& row : rows) {
    std::vector<int> saves = made_again(layer, row);
    if (saves.empty() && !row.saves.empty()) continue;  // all it makes is still there
    row.saves = std::move(saves);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

bool is_checkpointed(const ComputeOptions& options, std::int64_t layer) {
  switch (options.checkpointing) {
    case Checkpointing::kNone:
      return false;
    case Checkpointing::kFull:
    case Checkpointing::kSelective:
      return true;
    case Checkpointing::kEvery:
      return layer % options.checkpoint_every == 0;
  }
  return false;
}

Module checkpointed(const Module& layer, Bytes gradient) {
  Module out = layer;
  for (const Row& row : layer.forward) {
    if (!casts_trained_weight(layer, row)) continue;
    for (const int slot : row.saves) out.saved[index(slot)].held = Held::kForward;
  }
  out.backward = repeated_rows(out, gradient);
  drop_in_forward(out, out.forward);
  out.backward.insert(out.backward.end(), layer.backward.begin(), layer.backward.end());
  return out;
}

}  // namespace heddle::model

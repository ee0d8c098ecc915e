#include "hw_models/import_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/io/import/nvlink_reading.h"

namespace heddle::hw_models {
namespace {

constexpr std::array<std::pair<std::string_view, RelationKind>, 8> kWords = {{
    {"X", RelationKind::kSelf},
    {"PIX", RelationKind::kPix},
    {"PXB", RelationKind::kPxb},
    {"PHB", RelationKind::kPhb},
    {"NODE", RelationKind::kNode},
    {"SYS", RelationKind::kSys},
    {"SOC", RelationKind::kSys},
    {"PCIE", RelationKind::kHost},
}};

std::optional<int> first_number(const std::optional<std::string>& list) {
  if (!list) return std::nullopt;
  int number = 0;
  const auto [rest, error] = std::from_chars(list->data(), list->data() + list->size(), number);
  return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

class Builder {
 public:
  Builder(const io::Imported& imported, const std::string& file, Diagnostics& out)
      : imported_(imported), file_(file), out_(out) {}

  std::optional<ImportMatrix> build() {
    if (imported_.gpu_matrix.empty()) {
      out_.error("not-a-wiring", file_, "", 0,
                 "this kind of text does not say how the GPUs are wired",
                 "import `nvidia-smi topo -m` or another description of the machine");
      return std::nullopt;
    }
    const int before = out_.error_count();
    matrix_.imported = &imported_;
    for (std::size_t i = 0; i < imported_.gpus.size(); ++i) add_row(i);
    if (out_.error_count() == before) check_mirror();
    if (out_.error_count() != before) return std::nullopt;
    return std::move(matrix_);
  }

 private:
  void add_row(std::size_t i) {
    const bool has_nics = i < imported_.gpu_nic.size();
    matrix_.to_gpus.push_back(relations(i, imported_.gpu_matrix[i]));
    matrix_.to_nics.push_back(has_nics ? relations(i, imported_.gpu_nic[i])
                                       : std::vector<Relation>());
    matrix_.numa.push_back(first_number(imported_.gpus[i].numa));
  }

  std::vector<Relation> relations(std::size_t i,
                                  const std::vector<std::optional<std::string>>& tokens) {
    const io::ImportedGpu& gpu = imported_.gpus[i];
    std::vector<Relation> row;
    for (const auto& token : tokens) {
      const auto relation = token ? relation_of(*token) : std::nullopt;
      row.push_back(relation.value_or(Relation{}));
      if (relation) continue;
      if (token) {
        out_.error(
            "topo-cell", file_, "", gpu.line,
            fmt::format("GPU{}: \"{}\" does not say how two devices are wired", gpu.number, *token),
            "import `nvidia-smi topo -m`");
        return row;
      }
      out_.error("topo-truncated", file_, "", gpu.line,
                 fmt::format("the row of GPU{} is not complete", gpu.number),
                 "paste the whole output: a machine with unknown wires cannot be simulated");
      row.resize(tokens.size());
      return row;
    }
    return row;
  }

  void check_mirror() {
    for (std::size_t i = 0; i < matrix_.gpus(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (matrix_.to_gpus[i][j] == matrix_.to_gpus[j][i]) continue;
        out_.error("topo-asymmetric", file_, "", matrix_.line(i),
                   fmt::format("GPU{} sees GPU{} as {}, but the other way it is {}",
                               matrix_.number(i), matrix_.number(j), *imported_.gpu_matrix[i][j],
                               *imported_.gpu_matrix[j][i]),
                   "a link may be down: check `nvidia-smi nvlink -s`, or correct the text");
      }
    }
  }

  const io::Imported& imported_;
  const std::string& file_;
  Diagnostics& out_;
  ImportMatrix matrix_;
};

}  // namespace

std::optional<Relation> relation_of(const std::string& token) {
  for (const auto& [name, kind] : kWords) {
    if (token == name) return Relation{kind, 0};
  }
  if (token == "XGMI") return Relation{RelationKind::kNvlink, 1};
  const int links = io::nvlinks_of(token);
  if (links == 0) return std::nullopt;
  return Relation{RelationKind::kNvlink, links};
}

std::optional<ImportMatrix> import_matrix(const io::Imported& imported, const std::string& file,
                                          Diagnostics& out) {
  return Builder(imported, file, out).build();
}

}  // namespace heddle::hw_models

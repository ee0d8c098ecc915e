#include "tests/corpus/topology/corpus.h"

#include <filesystem>

#include "sim/io/file.h"

namespace heddle::test {

std::vector<CorpusKind> corpus_kinds() {
  return {{"nvidia_smi_topo_m", "nvidia-smi-topo"},
          {"nvidia_smi_topo_p2p", "nvidia-smi-p2p"},
          {"nvidia_smi_topo_C", "nvidia-smi-c"},
          {"nccl_topo_xml", "nccl-topo-xml"},
          {"lstopo_xml", "lstopo"},
          {"nccl_info_logs", "nccl-log"},
          {"nccl_tests_output", "nccl-tests"},
          {"rocm_smi", "rocm-smi"}};
}

std::string corpus_folder() {
  const std::filesystem::path folder =
      std::filesystem::path(HEDDLE_SOURCE_DIR) / ".." / "shared" / "corpus" / "topology";
  return std::filesystem::exists(folder / "index.json") ? folder.string() : "";
}

CorpusRecords corpus_records(const std::string& kind) {
  Diagnostics problems;
  const std::string file = corpus_folder() + "/index.json";
  CorpusRecords found{*io::JsonDocument::parse(io::read_file(file), file, problems), {}};
  for (const io::Value& record : found.index.root().member("files")->items(problems)) {
    if (*record.member("kind")->as_string(problems) == kind) found.records.push_back(record);
  }
  return found;
}

std::string corpus_file(const io::Value& record) {
  Diagnostics problems;
  return *record.member("file")->as_string(problems);
}

std::string corpus_text(const io::Value& record) {
  return io::read_file(corpus_folder() + "/" + corpus_file(record));
}

namespace {

bool is_number(const io::Value& v) {
  return v.kind() == io::JsonKind::kInteger || v.kind() == io::JsonKind::kReal;
}

bool same_items(const io::Value& a, const io::Value& b) {
  Diagnostics problems;
  const std::vector<io::Value> left = a.items(problems);
  const std::vector<io::Value> right = b.items(problems);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!same_json(left[i], right[i])) return false;
  }
  return true;
}

bool same_members(const io::Value& a, const io::Value& b) {
  if (a.keys().size() != b.keys().size()) return false;
  for (const std::string& key : a.keys()) {
    const auto other = b.member(key);
    if (!other || !same_json(*a.member(key), *other)) return false;
  }
  return true;
}

}  // namespace

bool same_json(const io::Value& a, const io::Value& b) {
  constexpr double kAny = 1e18;
  Diagnostics problems;
  if (is_number(a) && is_number(b)) {
    return a.as_number(-kAny, kAny, problems) == b.as_number(-kAny, kAny, problems);
  }
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case io::JsonKind::kBool:
      return a.as_bool(problems) == b.as_bool(problems);
    case io::JsonKind::kString:
      return a.as_string(problems) == b.as_string(problems);
    case io::JsonKind::kArray:
      return same_items(a, b);
    case io::JsonKind::kObject:
      return same_members(a, b);
    default:
      return true;
  }
}

}  // namespace heddle::test

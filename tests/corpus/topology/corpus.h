#pragma once
// The collection of real texts that lives beside the repository, with what each should be read as.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/io/import/detect.h"
#include "sim/io/json_document.h"

namespace heddle::test {

/// What index.json calls a kind, and the importer that reads it.
struct CorpusKind {
  std::string name;
  std::string importer;
};

/// Those of all kinds whose importer is in the table.
std::vector<CorpusKind> corpus_kinds();

/// "" where the collection is absent.
std::string corpus_folder();

/// The records of index.json of that kind; the document keeps them alive.
struct CorpusRecords {
  io::JsonDocument index;
  std::vector<io::Value> records;
};
CorpusRecords corpus_records(const std::string& kind);

std::string corpus_text(const io::Value& record);
/// "nvidia_smi_topo_m/x.txt"
std::string corpus_file(const io::Value& record);

/// Numbers compare by value; the order of an object's keys does not matter.
bool same_json(const io::Value& a, const io::Value& b);

inline std::string kind_name(const testing::TestParamInfo<CorpusKind>& info) {
  return info.param.name;
}

}  // namespace heddle::test

// Every record of the collection against the JSON that `heddle import` prints. Fields of a record:
//
//   expected          a matrix: "gpu_matrix"; an object: its keys are those of "details"
//   numa, expected_gpu_nic, nic_names, cpu_affinity, gpu_numa_id
//                     "numa", "gpu_nic", "nics", "cpu_affinity", "gpu_numa_id"
//   p2p_capability, weight, hops
//                     the same keys of "details"
//   n_gpus            rows of an expected matrix

#include <gtest/gtest.h>

#include "sim/io/import/import_json.h"
#include "tests/corpus/topology/corpus.h"

namespace heddle::test {
namespace {

class Corpus : public testing::TestWithParam<CorpusKind> {
 protected:
  void SetUp() override {
    if (corpus_folder().empty()) GTEST_SKIP() << "the collection is not beside this checkout";
  }
};

void expect_same(const io::Value& record, std::string_view field, const io::Value& printed,
                 std::string_view key) {
  const auto wanted = record.member(field);
  if (!wanted || wanted->is_null()) return;
  const auto got = printed.member(key);
  ASSERT_TRUE(got.has_value()) << "no key \"" << key << "\"";
  EXPECT_TRUE(same_json(*wanted, *got)) << field << " differs from the printed " << key;
}

void expect_details(const io::Value& record, const io::Value& details) {
  for (const std::string_view key : {"p2p_capability", "weight", "hops"}) {
    expect_same(record, key, details, key);
  }
  const auto expected = record.member("expected");
  if (expected->kind() != io::JsonKind::kObject) return;
  for (const std::string& key : expected->keys()) expect_same(*expected, key, details, key);
}

void expect_record(const io::Value& record, const io::Value& printed) {
  Diagnostics problems;
  const auto expected = record.member("expected");
  if (expected->kind() == io::JsonKind::kArray) {
    expect_same(record, "expected", printed, "gpu_matrix");
    EXPECT_EQ(record.member("n_gpus")->as_integer(0, 1 << 20, problems),
              static_cast<std::int64_t>(printed.member("gpus")->items(problems).size()));
  }
  expect_same(record, "numa", printed, "numa");
  expect_same(record, "expected_gpu_nic", printed, "gpu_nic");
  expect_same(record, "nic_names", printed, "nics");
  expect_same(record, "cpu_affinity", printed, "cpu_affinity");
  expect_same(record, "gpu_numa_id", printed, "gpu_numa_id");
  expect_details(record, *printed.member("details"));
}

TEST_P(Corpus, IsReadAsExpected) {
  const io::ImporterSpec* importer = io::find_importer(GetParam().importer);
  ASSERT_NE(importer, nullptr);
  const CorpusRecords all = corpus_records(GetParam().name);
  EXPECT_FALSE(all.records.empty());
  for (const io::Value& record : all.records) {
    SCOPED_TRACE(corpus_file(record));
    Diagnostics found;
    const auto imported = importer->read(corpus_text(record), corpus_file(record), found);
    ASSERT_TRUE(imported.has_value()) << (found.empty() ? "" : format(found.all().front()));
    const std::string json = io::import_json(*imported, *importer, corpus_file(record), found);
    const auto printed = io::JsonDocument::parse(json, "printed", found);
    ASSERT_TRUE(printed.has_value()) << format(found.all().back()) << json;
    expect_record(record, printed->root());
  }
}

TEST_P(Corpus, IsRecognised) {
  const CorpusRecords all = corpus_records(GetParam().name);
  for (const io::Value& record : all.records) {
    const io::ImporterSpec* detected = io::detect_importer(corpus_text(record));
    ASSERT_NE(detected, nullptr) << corpus_file(record);
    EXPECT_EQ(detected->name, GetParam().importer) << corpus_file(record);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Corpus, testing::ValuesIn(corpus_kinds()), kind_name);

}  // namespace
}  // namespace heddle::test

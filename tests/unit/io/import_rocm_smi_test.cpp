#include <gtest/gtest.h>

#include "tests/unit/io/import_texts.h"

namespace heddle::io {
namespace {

constexpr const char* kName = "rocm-smi";
constexpr const char* kFull =
    "============ ROCm System Management Interface ============\n"
    "=============== Weight between two GPUs ==================\n"
    "       GPU0         GPU1         GPU2   \n"
    "GPU0   0            15           40     \n"
    "GPU1   15           0            40     \n"
    "GPU2   40           40           0      \n"
    "\n"
    "================ Hops between two GPUs ===================\n"
    "       GPU0         GPU1         GPU2   \n"
    "GPU0   0            1            2      \n"
    "GPU1   1            0            2      \n"
    "GPU2   2            2            0      \n"
    "\n"
    "============== Link Type between two GPUs ================\n"
    "       GPU0         GPU1         GPU2   \n"
    "GPU0   0            XGMI         PCIE   \n"
    "GPU1   XGMI         0            PCIE   \n"
    "GPU2   PCIE         PCIE         0      \n"
    "\n"
    "====================== Numa Nodes ========================\n"
    "GPU[0]\t\t: (Topology) Numa Node: 4\n"
    "GPU[0]\t\t: (Topology) Numa Affinity: 0\n"
    "GPU[1]\t\t: (Topology) Numa Node: 0\n"
    "GPU[2]\t\t: (Topology) Numa Node: 1\n"
    "GPU[2]\t\t: (Topology) Numa Affinity: -1\n"
    "================== End of ROCm SMI Log ===================\n";

std::string part(const std::string& title, int lines) {
  const std::string text = kFull;
  std::size_t end = text.rfind('\n', text.find(title)) + 1;
  const std::size_t start = end;
  for (int i = 0; i < lines; ++i) end = text.find('\n', end) + 1;
  return text.substr(start, end - start);
}

TEST(RocmSmi, ReadsAllTables) {
  const Imported result = imported(kName, kFull);
  ASSERT_EQ(result.gpus.size(), 3U);
  EXPECT_EQ(row(result.gpu_matrix, 0), "X XGMI PCIE");
  EXPECT_EQ(row(result.gpu_matrix, 2), "PCIE PCIE X");
  EXPECT_EQ(result.gpus[0].numa, "0");  // the affinity, not the node
  EXPECT_EQ(result.gpus[1].numa, "0");
  EXPECT_FALSE(result.gpus[2].numa);
  EXPECT_EQ(result.gpus[1].line, 17);
  EXPECT_EQ(details_json(result), R"({"weight": [[0, 15, 40], [15, 0, 40], [40, 40, 0]], )"
                                  R"("hops": [[0, 1, 2], [1, 0, 2], [2, 2, 0]]})"
                                  "\n");
}

TEST(RocmSmi, ReadsPartsAndWhatStandsAround) {
  const Imported types = imported(kName, "\n$ rocm-smi\n" + part("Link Type", 5) + "   \n$\n");
  EXPECT_EQ(row(types.gpu_matrix, 1), "XGMI X PCIE");
  EXPECT_EQ(details_json(types), "{}\n");
  EXPECT_FALSE(types.gpus[0].numa);
  const std::string weights = part("Weight", 5);
  EXPECT_TRUE(imported(kName, weights).gpu_matrix.empty());
  EXPECT_EQ(warnings(kName, weights), std::vector<std::string>{"rocm-no-types"});
}

TEST(RocmSmi, ATruncatedTableHasNoRows) {
  const Imported result = imported(kName, part("Link Type", 4));
  ASSERT_EQ(result.gpus.size(), 3U);
  EXPECT_EQ(row(result.gpu_matrix, 2), "? ? ?");
  EXPECT_EQ(warnings(kName, part("Link Type", 4)), std::vector<std::string>{"rocm-truncated"});
}

TEST(RocmSmi, RefusesWhatItCannotRead) {
  expect_refused(kName, "GPU0 GPU1\nGPU0 0 XGMI\n", "rocm-no-table", 0);
  expect_refused(kName, with(kFull, "0            XGMI         PCIE", "0   XGMI"), "rocm-row", 16);
  expect_refused(kName, with(kFull, "XGMI         PCIE", "NV4          PCIE"), "rocm-cell", 16);
  expect_refused(kName, with(kFull, "15           40", "15           far"), "rocm-cell", 4);
  expect_refused(kName, with(kFull, "GPU2   40", "GPU3   40"), "rocm-row", 6);
  expect_refused(kName, with(kFull, "GPU2   40", "GPU1   40"), "rocm-row", 6);
  expect_refused(kName, with(kFull, "GPU0         GPU1", "GPU1         GPU0"), "rocm-columns", 3);
  expect_refused(kName, with(kFull, "Numa Node: 4", "Numa Node:"), "rocm-numa", 21);
  expect_refused(kName, part("Hops", 5) + part("Hops", 5), "rocm-repeated", 6);
}

}  // namespace
}  // namespace heddle::io

#include "validator/gpu/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "validator/gpu/cuda_gpu.h"

namespace heddle::gpu {
namespace {

using ::testing::HasSubstr;

TEST(Library, FindsWhatTheLoaderFinds) {
  constexpr std::array<std::string_view, 2> kNames{"libnobody.so.7", "libm.so.6"};
  Library math(kNames, {});
  ASSERT_TRUE(math.open());
  double (*cosine)(double) = nullptr;
  math.find("cos", cosine);
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0), 1);
  EXPECT_EQ(math.problem(), "");
}

TEST(Library, SaysWhatItLookedForAndWhere) {
  constexpr std::array<std::string_view, 2> kNames{"libnobody.so.7", "libnobody.so"};
  const std::vector<std::string> folders{"/opt/nowhere"};
  Library none(kNames, folders);
  EXPECT_FALSE(none.open());
  EXPECT_THAT(none.problem(), HasSubstr("no libnobody.so.7, libnobody.so in the loader's folders"));
  EXPECT_THAT(none.problem(), HasSubstr("/opt/nowhere"));
}

TEST(Library, NamesAMissingSymbol) {
  constexpr std::array<std::string_view, 1> kNames{"libm.so.6"};
  Library math(kNames, {});
  void (*nothing)() = nullptr;
  math.find("cosinus", nothing);
  EXPECT_EQ(nothing, nullptr);
  EXPECT_EQ(math.problem(), "libm.so.6 has no cosinus");
}

/// Where the libraries are and the driver is not, every symbol but the driver's is found.
TEST(CudaLibraries, MissOnlyWhatIsNotThere) {
  const CudaLibraries cuda = load_cuda();
  if (cuda.runtime.malloc == nullptr) GTEST_SKIP() << "cannot run here: no libcudart";
  EXPECT_THAT(cuda.missing, testing::Not(HasSubstr(" has no ")));
  EXPECT_EQ(cuda.driver.init == nullptr, cuda.missing.find("libcuda.so.1") != std::string::npos);
}

TEST(CudaLibraries, AMachineWithoutAGpuIsToldApart) {
  const CudaLibraries cuda = load_cuda();
  const CudaMachine machine = look_at_machine(cuda);
  std::string problem;
  if (machine.devices > 0) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(open_cuda(cuda, 0, problem), nullptr);
  EXPECT_EQ(problem, machine.missing);
  EXPECT_NE(problem, "");
}

TEST(CudaNccl, ReadsVersionsAsNcclWritesThem) {
  EXPECT_EQ(nccl_version_text(22809), "2.28.9");
  EXPECT_EQ(nccl_version_text(2708), "2.7.8");
}

/// The kernel is text that nothing here compiles: CUDA's assembler, where there is one, must take
/// it.
TEST(CudaSweep, IsAssembled) {
#ifdef HEDDLE_PTXAS
  const std::string file = testing::TempDir() + "heddle_sweep.ptx";
  std::ofstream(file) << kSweepText;
  for (const char* architecture : {"sm_80", "sm_90"}) {
    const std::string command = std::string(HEDDLE_PTXAS) + " -arch=" + architecture + " " + file +
                                " -o " + file + ".cubin";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
#else
  GTEST_SKIP() << "cannot run here: no ptxas";
#endif
}

}  // namespace
}  // namespace heddle::gpu

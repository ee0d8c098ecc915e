#include "hw_models/cpu_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "hw_models/data_folder.h"
#include "hw_models/link_reader.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

std::vector<CpuModel> shipped_cpus() {
  std::vector<CpuModel> cpus;
  for (const std::string& name : DataFolder(source_path("hw_models")).names("cpus")) {
    Diagnostics out;
    const auto cpu = read_cpu(shipped("cpus", name), out);
    EXPECT_TRUE(cpu.has_value()) << (out.empty() ? name : format(out.all().front()));
    if (cpu) cpus.push_back(*cpu);
  }
  return cpus;
}

io::NcclCpu cpu(const std::string& arch, const std::string& vendor, int family, int model) {
  io::NcclCpu result;
  result.arch = arch;
  result.vendor = vendor;
  result.family = family;
  result.model = model;
  return result;
}

/// GB/s of the wire that the shipped files give two such CPUs; 0 if there is none.
std::int64_t wire(const io::NcclCpu& one) {
  const std::vector<CpuModel> known = shipped_cpus();
  const CpuModel* found = find_cpu(known, one);
  if (!found) return 0;
  Diagnostics out;
  const auto link = read_link(shipped("links", found->interconnect), out);
  EXPECT_TRUE(link.has_value()) << found->interconnect;
  return link ? link->payload_rate.bytes_per_second / 1'000'000'000 : 0;
}

TEST(CpuReader, WiresFollowNcclsTable) {
  // NCCL's ncclTopoGetInterCpuBw: models from 0x55, 0x8f and 0xcf on are newer Intel families.
  EXPECT_EQ(wire(cpu("x86_64", "GenuineIntel", 6, 79)), 6);    // Broadwell
  EXPECT_EQ(wire(cpu("x86_64", "GenuineIntel", 6, 85)), 10);   // Skylake
  EXPECT_EQ(wire(cpu("x86_64", "GenuineIntel", 6, 106)), 10);  // Ice Lake
  EXPECT_EQ(wire(cpu("x86_64", "GenuineIntel", 6, 143)), 22);  // Sapphire Rapids
  EXPECT_EQ(wire(cpu("x86_64", "GenuineIntel", 6, 207)), 40);  // Emerald Rapids
  EXPECT_EQ(wire(cpu("x86_64", "AuthenticAMD", 175, 1)), 16);
  EXPECT_EQ(wire(cpu("arm64", "", 0, 0)), 6);
  EXPECT_EQ(wire(cpu("ppc64", "", 0, 0)), 32);
  EXPECT_EQ(wire(cpu("x86_64", "CentaurHauls", 7, 91)), 0);
  EXPECT_EQ(wire(io::NcclCpu{}), 0);
}

TEST(CpuReader, RefusesFaults) {
  const auto code = [](const std::string& from, const std::string& to) {
    Diagnostics out;
    EXPECT_FALSE(read_cpu(changed(shipped("cpus", "skylake"), from, to), out).has_value());
    return out.all().front().code;
  };
  EXPECT_EQ(code("[85, 142]", "[142, 85]"), "bad-range");
  EXPECT_EQ(code("[85, 142]", "[85]"), "bad-range");
  EXPECT_EQ(code("\"arch\"", "\"arhc\""), "missing-key");
  EXPECT_EQ(code("\"kind\": \"datasheet\",", ""), "missing-key");
  EXPECT_EQ(code("heddle.cpu/1", "heddle.cpu/2"), "wrong-schema");
}

}  // namespace
}  // namespace heddle::hw_models

// lstopo XML. By hand: package 0 has one switch (upper port 02:00, lower ports 03:00 and 03:01)
// with GPU 0 and the NIC below it, and GPU 1 on a root port of a second host bridge; package 1
// has GPU 2. A root port is the first bridge below a host bridge, the upper port of a switch the
// second, its lower ports the third.

#include <gtest/gtest.h>

#include "sim/io/import/topo_import.h"
#include "tests/unit/io/import_texts.h"

namespace heddle::io {
namespace {

constexpr const char* kName = "lstopo";

std::string bridge(const std::string& busid, const std::string& inside) {
  return "<object type=\"Bridge\" bridge_type=\"1-1\" pci_busid=\"" + busid +
         "\" pci_type=\"0604 [10b5:9781] [10b5:9781] b0 00\" pci_link_speed=\"15.753846\">\n" +
         inside + "</object>\n";
}

std::string gpu(int number, const std::string& busid, int index) {
  return "<object type=\"PCIDev\" gp_index=\"" + std::to_string(100 + index) + "\" pci_busid=\"" +
         busid +
         "\" pci_type=\"0302 [10de:1db5] [10de:1249] a1 00\" pci_link_speed=\"15.753846\">" +
         "<object type=\"OSDev\" gp_index=\"" + std::to_string(index) + "\" name=\"nvml" +
         std::to_string(number) + "\" osdev_type=\"1\"/></object>\n";
}

std::string host_bridge(const std::string& inside) {
  return "<object type=\"Bridge\" bridge_type=\"0-1\">\n" + inside + "</object>\n";
}

const std::string kNic =
    "<object type=\"PCIDev\" pci_busid=\"0000:05:00.0\" pci_type=\"0207 [15b3:1017] [15b3:0] 00 "
    "00\" pci_link_speed=\"15.753846\">"
    "<object type=\"OSDev\" name=\"ib0\" osdev_type=\"2\"/>"
    "<object type=\"OSDev\" name=\"mlx5_0\" osdev_type=\"3\"/></object>\n";

std::string links(const std::string& values) {
  return "<distances2 type=\"OSDev\" nbobjs=\"3\" name=\"NVLinkBandwidth\" indexing=\"gp\">"
         "<indexes length=\"6\">1 2 3 </indexes><u64values length=\"1\">" +
         values + "</u64values></distances2>\n";
}

/// `matrix` begins in line 30.
std::string machine(const std::string& matrix) {
  const std::string switched = bridge(
      "0000:01:00.0", bridge("0000:02:00.0", bridge("0000:03:00.0", gpu(0, "0000:04:00.0", 1)) +
                                                 bridge("0000:03:01.0", kNic)));
  const std::string first =
      host_bridge(switched) + host_bridge(bridge("0000:40:00.0", gpu(1, "0000:41:00.0", 2)));
  const std::string second = host_bridge(bridge("0000:80:00.0", gpu(2, "0000:81:00.0", 3)));
  const auto package = [](const std::string& number, const std::string& inside) {
    return "<object type=\"Package\" os_index=\"" + number +
           "\"><info name=\"CPUVendor\" value=\"GenuineIntel\"/>"
           "<info name=\"CPUModelNumber\" value=\"85\"/>"
           "<object type=\"NUMANode\" os_index=\"" +
           number + "\"/>\n" + inside + "</object>\n";
  };
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
         "<topology version=\"2.0\"><object type=\"Machine\">\n" +
         package("0", first) + package("1", second) +
         "<info name=\"Architecture\" value=\"aarch64\"/></object>" + matrix + "</topology>\n";
}

TEST(Lstopo, ReadsTheTree) {
  const Imported result = imported(kName, machine(""));
  ASSERT_EQ(result.gpus.size(), 3U);
  EXPECT_EQ(result.gpus[0].bus_id, "0000:04:00.0");
  EXPECT_EQ(result.gpus[0].model, "V100-SXM2-32GB");
  EXPECT_EQ(result.gpus[2].numa, "1");
  EXPECT_EQ(row(result.gpu_matrix, 0), "X NODE SYS");
  ASSERT_EQ(result.nics.size(), 1U);
  EXPECT_EQ(result.nics[0].name, "mlx5_0");
  EXPECT_EQ(row(result.gpu_nic, 0), "PIX");
  EXPECT_EQ(row(result.gpu_nic, 1), "NODE");
  EXPECT_EQ(row(result.gpu_nic, 2), "SYS");
}

TEST(Lstopo, KeepsUpperPortsAndCpus) {
  const Imported result = imported(kName, machine(""));
  const NcclTopo& topo = dynamic_cast<const NcclTopoDetails&>(*result.details).topo;
  ASSERT_EQ(topo.pcis.size(), 5U);  // one switch, three GPUs, one NIC
  EXPECT_EQ(topo.pcis[0].busid, "0000:02:00.0");
  EXPECT_EQ(topo.gpu(0).parent, 0);
  EXPECT_EQ(topo.gpu(1).parent, kNoPci);
  EXPECT_NEAR(static_cast<double>(*topo.gpu(0).bandwidth), 12e9, 1e3);
  ASSERT_EQ(topo.cpus.size(), 2U);
  EXPECT_EQ(topo.cpus[1].vendor, "GenuineIntel");
  EXPECT_EQ(topo.cpus[1].model, 85);
  EXPECT_EQ(topo.cpus[1].arch, "arm64");
}

TEST(Lstopo, CountsNvlinks) {
  // 50000 MB/s are two links of 25000.
  const Imported result = imported(kName, machine(links("0 50000 0 50000 0 0 0 0 0")));
  EXPECT_EQ(row(result.gpu_matrix, 0), "X NV2 SYS");
  EXPECT_EQ(row(result.gpu_matrix, 2), "SYS SYS X");
  const std::string json = details_json(result);
  EXPECT_NE(json.find("[[0, 2, 0], [2, 0, 0], [0, 0, 0]]"), std::string::npos);
  EXPECT_NE(json.find(R"("osdevs": ["ib0", "mlx5_0", "nvml0", "nvml1", "nvml2"])"),
            std::string::npos);
}

TEST(Lstopo, LinksIntoSwitchesAreShared) {
  // NVSwitch 109 takes one link of GPU 0 and two of GPU 1.
  const std::string nvswitch = with(
      machine("<distances2hetero nbobjs=\"3\" name=\"NVLinkBandwidth\"><indexes>OSDev:1 OSDev:2 "
              "PCIDev:109</indexes><u64values>0 0 25000 0 0 50000 25000 50000 0</u64values>"
              "</distances2hetero>"),
      kNic,
      kNic +
          "<object type=\"PCIDev\" gp_index=\"109\" subtype=\"NVSwitch\" "
          "pci_busid=\"0000:06:00.0\" pci_type=\"0680 [10de:1ac2] [0000:0000] a1 00\"/>");
  const Imported result = imported(kName, nvswitch);
  EXPECT_EQ(row(result.gpu_matrix, 0), "X NV1 SYS");
  EXPECT_NE(details_json(result).find(R"("links_to_switch": {"0": 1, "1": 2, "2": 0})"),
            std::string::npos);
}

TEST(Lstopo, ReadsVersionOne) {
  const std::string text =
      "<topology><object type=\"Machine\"><object type=\"NUMANode\" os_index=\"3\">"
      "<object type=\"Socket\"><info name=\"CPUVendor\" value=\"AuthenticAMD\"/></object>" +
      host_bridge(bridge("0000:01:00.0", gpu(0, "0000:02:00.0", 1))) +
      "</object></object></topology>";
  const Imported result = imported(kName, text);
  ASSERT_EQ(result.gpus.size(), 1U);
  EXPECT_EQ(result.gpus[0].numa, "3");
  const NcclTopo& topo = dynamic_cast<const NcclTopoDetails&>(*result.details).topo;
  EXPECT_EQ(topo.cpus[0].vendor, "AuthenticAMD");
}

TEST(Lstopo, RefusesWhatItCannotRead) {
  expect_refused(kName, "<topology>\n<object type=\"Machine\"/></topology>", "lstopo-gpus", 1);
  expect_refused(kName, with(machine(""), "0302 [10de:1db5]", "0302 10de"), "lstopo-pci", 9);
  expect_refused(kName, machine(links("0 1 2")), "lstopo-matrix", 30);
  expect_refused(kName, machine(links("0 50001 0 0 0 0 0 0 0")), "lstopo-links", 30);
  expect_refused(kName, machine("<distances2"), "xml-syntax", 30);
  // 65 links of 25000 MB/s; 64 are not too many.
  expect_refused(kName, machine(links("0 1625000 0 0 0 0 0 0 0")), "lstopo-links", 30);
  EXPECT_EQ(row(imported(kName, machine(links("0 1600000 0 0 0 0 0 0 0"))).gpu_matrix, 0),
            "X NV64 SYS");
}

}  // namespace
}  // namespace heddle::io

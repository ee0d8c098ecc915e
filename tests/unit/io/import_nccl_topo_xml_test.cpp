// NCCL's topology XML. The machine of kMachine, drawn by hand:
//
//   cpu 0 -- switch 01:00 --+-- switch 02:00 -- GPU 0 (10:00)
//                           +-- switch 03:00 --+-- GPU 1 (11:00)
//                                              +-- NIC mlx5_0 (12:00)
//   cpu 1 --+-- GPU 2 (a0:00)
//           +-- NIC eth0, directly below the CPU
//
// GPU 0 and 1 have 4 links between them, GPU 2 none.

#include <gtest/gtest.h>

#include "sim/io/import/nccl_topo_reader.h"
#include "sim/io/import/topo_import.h"
#include "tests/unit/io/import_texts.h"

namespace heddle::io {
namespace {

constexpr const char* kName = "nccl-topo-xml";
constexpr const char* kMachine = R"(<system version="1">
<cpu numaid="0" affinity="000f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
<pci busid="0000:01:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
<pci busid="0000:02:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
<pci busid="0000:10:00.0" class="0x030200" vendor="0x10de" device="0x2331" link_speed="32.0 GT/s PCIe" link_width="16">
<gpu dev="0" sm="90" rank="0" gdr="1"><nvlink target="0000:11:00.0" count="4" tclass="0x030200"/></gpu>
</pci></pci>
<pci busid="0000:03:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="8">
<pci busid="0000:11:00.0" class="0x030200" vendor="0x10de" device="0x2331" link_speed="16.0 GT/s PCIe" link_width="16">
<gpu dev="1" sm="90" rank="1" gdr="1"><nvlink target="0000:10:00.0" count="4" tclass="0x030200"/></gpu>
</pci>
<pci busid="0000:12:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16">
<nic><net name="mlx5_0" dev="0" speed="200000" port="1" gdr="1"/></nic>
</pci></pci></pci></cpu>
<cpu numaid="1" affinity="00f0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
<pci busid="0000:A0:00.0" class="0x030200" vendor="0x10de" device="0x2331" link_speed="" link_width="0">
<gpu dev="2" sm="90" rank="2" gdr="1"/>
</pci>
<nic><net name="eth0" dev="1" speed="10000" port="1"/></nic>
</cpu>
</system>
)";

const NcclTopo& topo_of(const Imported& result) {
  return dynamic_cast<const NcclTopoDetails&>(*result.details).topo;
}

TEST(NcclTopoXml, ReadsGpusNicsAndTokens) {
  const Imported result = imported(kName, kMachine);
  ASSERT_EQ(result.gpus.size(), 3U);
  EXPECT_EQ(result.gpus[1].bus_id, "0000:11:00.0");
  EXPECT_EQ(result.gpus[1].numa, "0");
  EXPECT_EQ(result.gpus[1].line, 9);
  EXPECT_EQ(result.gpus[2].bus_id, "0000:a0:00.0");
  EXPECT_EQ(result.gpus[2].cpu_affinity, "00f0");
  EXPECT_EQ(result.gpus[0].model, "H100-PCIE-80GB");
  EXPECT_EQ(row(result.gpu_matrix, 0), "X NV4 SYS");
  EXPECT_EQ(row(result.gpu_matrix, 2), "SYS SYS X");
  ASSERT_EQ(result.nics.size(), 2U);
  EXPECT_EQ(result.nics[0].name, "mlx5_0");
  // GPU 0 passes 02:00, 01:00, 03:00 to mlx5_0; GPU 1 only 03:00.
  EXPECT_EQ(row(result.gpu_nic, 0), "PXB SYS");
  EXPECT_EQ(row(result.gpu_nic, 1), "PIX SYS");
  EXPECT_EQ(row(result.gpu_nic, 2), "SYS PHB");
}

TEST(NcclTopoXml, KeepsTheTreeWithNcclsPcieBandwidths) {
  const Imported result = imported(kName, kMachine);
  const NcclTopo& topo = topo_of(result);
  EXPECT_EQ(topo.version, 1);
  ASSERT_EQ(topo.pcis.size(), 7U);
  ASSERT_EQ(topo.cpus.size(), 2U);
  EXPECT_EQ(topo.cpus[0].model, 143);
  // 16 lanes x 32 GT/s: 48 GB/s; 8 lanes: 24; 16 lanes x 16 GT/s: 24; nothing told: unknown.
  EXPECT_EQ(topo.gpu(0).bandwidth, 48'000'000'000);
  EXPECT_EQ(topo.pcis[3].bandwidth, 24'000'000'000);
  EXPECT_EQ(topo.gpu(1).bandwidth, 24'000'000'000);
  EXPECT_FALSE(topo.gpu(2).bandwidth.has_value());
  EXPECT_EQ(topo.gpu(1).parent, 3);
  EXPECT_EQ(topo.pcis[3].parent, 0);
  EXPECT_EQ(topo.gpu(1).gpu->sm, 90);
  EXPECT_EQ(topo.nets[0].mbit_per_s, 200'000);
  EXPECT_EQ(topo.nets[1].pci, kNoPci);
  EXPECT_EQ(topo.nets[1].cpu, 1);
}

TEST(NcclTopoXml, RecordsWhatItConcludes) {
  const Imported result = imported(kName, kMachine);
  const auto find = [&result](const std::string& what) {
    for (const Inference& i : result.inferences) {
      if (i.what == what) return i.value + " @" + std::to_string(i.line);
    }
    return std::string("nothing");
  };
  EXPECT_EQ(find("model of GPU1"), "H100-PCIE-80GB @9");
  EXPECT_EQ(find("PCIe of 0000:a0:00.0"), "unknown (NCCL plans with 12 GB/s) @16");
  EXPECT_EQ(find("PCIe of 0000:10:00.0"), "nothing");
  // 03:00 has 24 GB/s below the 48 of 01:00: its way is no slower than it is itself.
  EXPECT_EQ(find("way of 0000:03:00.0 to its CPU"), "nothing");
}

TEST(NcclTopoXml, WritesTheKeysOfItsKind) {
  EXPECT_EQ(details_json(imported(kName, kMachine)),
            R"({"version": 1, "numa": {"0000:10:00.0": "0", "0000:11:00.0": "0", )"
            R"("0000:a0:00.0": "1"}, "nvlink_or_xgmi_count": [[0, 4, 0], [4, 0, 0], [0, 0, 0]]})"
            "\n");
}

TEST(NcclTopoXml, DoesNotMindLinesAndWhatStandsAround) {
  std::string flat = kMachine;
  std::erase(flat, '\n');
  EXPECT_EQ(row(imported(kName, flat).gpu_matrix, 0), "X NV4 SYS");
  const Imported in_text =
      imported(kName, "\n$ cat topo.xml <here>\n" + std::string(kMachine) + "$ exit </system>\n");
  EXPECT_EQ(row(in_text.gpu_matrix, 0), "X NV4 SYS");
  EXPECT_EQ(in_text.gpus[1].line, 11);
}

TEST(NcclTopoXml, AGpuWithLinksIntoSwitchesSharesThemWithAll) {
  // 3 + 2 links into two NVSwitches on one GPU, 4 on the other: the pair sees the lesser port.
  const Imported result = imported(kName, R"(<system version="1"><cpu numaid="0">
<pci busid="0000:10:00.0" class="0x030200"><gpu dev="0" sm="90">
<nvlink target="0000:05:00.0" count="3" tclass="0x068000"/>
<nvlink target="0000:06:00.0" count="2" tclass="0x068000"/></gpu></pci>
<pci busid="0000:11:00.0" class="0x030200"><gpu dev="1" sm="90">
<nvlink target="0000:05:00.0" count="4" tclass="0x068000"/></gpu></pci></cpu></system>)");
  EXPECT_EQ(row(result.gpu_matrix, 0), "X NV4");
  EXPECT_NE(details_json(result).find(R"("links_to_switch": {"0": 5, "1": 4})"), std::string::npos);
}

TEST(NcclTopoXml, AStaticFileTellsNoLinksAndNumbersByBusId) {
  const std::string text = R"(<system version="1">
<cpu numaid="0"><pci busid="ffff:ff:01.0" class="0x060400">
<pci busid="0003:00:00.0" class="0x030200"/><pci busid="0103:00:00.0" class="0x020700"/></pci></cpu>
<cpu numaid="1"><pci busid="0001:00:00.0" class="0x030000"/></cpu></system>)";
  const Imported result = imported(kName, text);
  ASSERT_EQ(result.gpus.size(), 2U);
  EXPECT_EQ(result.gpus[0].bus_id, "0001:00:00.0");
  EXPECT_EQ(result.gpus[0].numa, "1");
  EXPECT_EQ(row(result.gpu_matrix, 0), "X SYS");
  EXPECT_EQ(row(result.gpu_nic, 1), "PIX");
  EXPECT_EQ(result.nics[0].name, "0103:00:00.0");
  EXPECT_EQ(warnings(kName, text), std::vector<std::string>{"nccl-no-links"});
}

TEST(NcclTopoXml, AmdLinksAreXgmi) {
  const std::string text = R"(<system version="2"><cpu numaid="0">
<pci busid="0000:10:00.0" class="0x120000"><gpu dev="0" sm="304" gcn="gfx942">
<xgmi target="0000:11:00.0" count="1" tclass="0x120000"/></gpu></pci>
<pci busid="0000:11:00.0" class="0x120000"><gpu dev="1" sm="304" gcn="gfx942">
<xgmi target="0000:10:00.0" count="1" tclass="0x120000"/></gpu></pci></cpu></system>)";
  const Imported result = imported(kName, text);
  EXPECT_EQ(row(result.gpu_matrix, 0), "X XGMI");
  EXPECT_EQ(topo_of(result).gpu(0).gpu->gcn, "gfx942");
}

TEST(NcclTopoXml, MergesTheTwoLevelsOfABroadcomSwitch) {
  // The ids NCCL merges: 1000:c030, subsystem 1000:0072 above 1000:1003. Without it: PXB.
  const std::string text = R"(<system version="1"><cpu numaid="0">
<pci busid="0000:01:00.0" class="0x060400" vendor="0x1000" device="0xc030" subsystem_vendor="0x1000" subsystem_device="0x0072">
<pci busid="0000:02:00.0" class="0x060400" vendor="0x1000" device="0xc030" subsystem_vendor="0x1000" subsystem_device="0x1003">
<pci busid="0000:10:00.0" class="0x030200"/></pci>
<pci busid="0000:03:00.0" class="0x060400" vendor="0x1000" device="0xc030" subsystem_vendor="0x1000" subsystem_device="0x1003">
<pci busid="0000:11:00.0" class="0x020700"/></pci></pci></cpu></system>)";
  EXPECT_EQ(row(imported(kName, text).gpu_nic, 0), "PIX");
  EXPECT_EQ(row(imported(kName, with(text, "0x1003", "0x9999")).gpu_nic, 0), "PXB");
}

TEST(NcclTopoXml, WarnsOfWhatIsDoubtful) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(warnings(kName, kMachine), Codes{});
  EXPECT_EQ(warnings(kName, with(kMachine, "count=\"4\"", "count=\"3\"")),
            Codes{"nccl-asymmetric"});
  EXPECT_EQ(warnings(kName, with(kMachine, "target=\"0000:11:00.0\"", "target=\"0000:10:00.0\"")),
            (Codes{"nccl-link-self", "nccl-asymmetric"}));
  EXPECT_EQ(warnings(kName, with(kMachine, "target=\"0000:11:00.0\"", "target=\"0000:77:00.0\"")),
            (Codes{"nccl-link-outside", "nccl-asymmetric"}));
  EXPECT_EQ(warnings(kName, with(kMachine, "200000", "200000000")), Codes{"nccl-net-speed"});
  EXPECT_EQ(warnings(kName, with(kMachine, "</gpu>", "<novelty/></gpu>")), Codes{"nccl-element"});
  EXPECT_EQ(warnings(kName, "<system><cpu numaid='0'><pci busid='0000:00:16.0'/></cpu></system>"),
            (Codes{"nccl-class", "nccl-no-gpu"}));
}

TEST(NcclTopoXml, RefusesWhatContradictsItself) {
  expect_refused(kName, "no xml", "xml-no-root", 0);
  expect_refused(kName, "\n<system version=\"1\">\n</system>", "nccl-no-cpu", 2);
  expect_refused(kName, with(kMachine, "version=\"1\"", "version=\"7\""), "nccl-version", 1);
  expect_refused(kName, with(kMachine, "numaid=\"1\"", "numaid=\"0\""), "nccl-numa", 15);
  expect_refused(kName, with(kMachine, "numaid=\"1\"", "other=\"1\""), "xml-attribute", 15);
  expect_refused(kName, with(kMachine, "0000:12:00.0", "12.0"), "nccl-busid", 12);
  expect_refused(kName, with(kMachine, "busid=\"0000:12:00.0\"", "busid=\"0000:10:00.0\""),
                 "nccl-busid", 12);
  expect_refused(kName, with(kMachine, "dev=\"1\"", "dev=\"0\""), "nccl-gpus", 10);
  expect_refused(kName, with(kMachine, "dev=\"1\"", "dev=\"one\""), "xml-number", 10);
  expect_refused(kName, with(kMachine, "count=\"4\"", "count=\"400\""), "nccl-links", 6);
  expect_refused(kName, with(kMachine, "target=\"0000:11:00.0\"", "target=\"gpu1\""), "nccl-busid",
                 6);
  expect_refused(
      kName, "<system><cpu numaid='0' host_hash='1'/>\n<cpu numaid='1' host_hash='2'/></system>",
      "nccl-hosts", 2);
}

// Their sum is no int: it would show as links that GPU 1 does not have back.
TEST(NcclTopoXml, CountsThatAreRefusedAreNotAddedUp) {
  Diagnostics out;
  EXPECT_FALSE(import_text(kName, R"(<system version="1"><cpu numaid="0">
<pci busid="0000:10:00.0" class="0x030200"><gpu dev="0" sm="90">
<nvlink target="0000:11:00.0" count="2147483647" tclass="0x030200"/>
<nvlink target="0000:11:00.0" count="2147483647" tclass="0x030200"/></gpu></pci>
<pci busid="0000:11:00.0" class="0x030200"><gpu dev="1" sm="90"/></pci></cpu></system>)",
                           out));
  ASSERT_EQ(out.all().size(), 2U);
  EXPECT_EQ(out.all()[0].code, "nccl-links");
  EXPECT_EQ(out.all()[1].code, "nccl-links");
}

TEST(NcclTopoXml, BusIdsAreWrittenInOneWay) {
  EXPECT_EQ(canonical_busid("00000000:0F:00.0"), "0000:0f:00.0");
  EXPECT_EQ(canonical_busid("00010000:0F:00.0"), "00010000:0f:00.0");
  EXPECT_EQ(canonical_busid("ffff:ff:01.0"), "ffff:ff:01.0");
  EXPECT_FALSE(canonical_busid("0f:00.0"));
  EXPECT_FALSE(canonical_busid("0000:0f:00"));
  EXPECT_FALSE(canonical_busid("0000:0f:00.00"));
  EXPECT_FALSE(canonical_busid("0000:xx:00.0"));
}

}  // namespace
}  // namespace heddle::io

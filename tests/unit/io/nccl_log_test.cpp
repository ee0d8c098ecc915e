#include "sim/io/import/nccl_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NcclLog read_ok(const std::string& text) {
  Diagnostics out;
  const std::optional<NcclLog> log = read_nccl_log(text, "n.log", out);
  EXPECT_TRUE(log);
  return log.value_or(NcclLog{});
}

std::vector<std::string> codes(const std::string& text) {
  Diagnostics out;
  read_nccl_log(text, "n.log", out);
  std::vector<std::string> found;
  for (const Diagnostic& d : out.all()) found.push_back(d.code);
  return found;
}

std::string info(const std::string& message, int rank = 0) {
  return "box:10" + std::to_string(rank) + ":20" + std::to_string(rank) + " [" +
         std::to_string(rank) + "] NCCL INFO " + message + "\n";
}

std::string init(int rank, const std::string& id, const std::string& phase) {
  return info("ncclCommInitRank comm 0x" + id + std::to_string(rank) + " rank " +
                  std::to_string(rank) + " nranks 2 cudaDev " + std::to_string(rank) + " nvmlDev " +
                  std::to_string(rank + 4) + " busId " + std::to_string(rank) + "9c000 commId 0x" +
                  id + " - Init " + phase,
              rank);
}

TEST(NcclLog, RanksOfOneCommIdMeet) {
  const NcclLog log = read_ok(
      "NCCL version 2.20.5+cuda12.4\n" + init(1, "a", "START") + init(0, "a", "START") +
      info("Channel 00/04 :    0   1") + info("Channel 01/04 :    1   0") +
      info("Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1") +
      info("Trees [0] -1/-1/-1->1->0 [1] 0/-1/-1->1->-1", 1) +
      info("Channel 00/0 : 1[5] -> 0[4] via P2P/CUMEM", 1) +
      info("4 coll channels, 0 collnet channels, 16 nvls channels, 8 p2p channels, 2 p2p channels "
           "per peer") +
      info("comm 0xa0 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0") +
      init(0, "a", "COMPLETE") + init(1, "a", "COMPLETE"));
  ASSERT_EQ(log.communicators.size(), 1u);
  const NcclCommunicator& comm = log.communicators[0];
  EXPECT_EQ(comm.nranks, 2);
  EXPECT_EQ(comm.nnodes, 1);
  EXPECT_EQ(comm.channels, 4);
  EXPECT_EQ(comm.coll_channels, 4);
  EXPECT_EQ(comm.nvls_channels, 16);
  EXPECT_EQ(comm.p2p_channels, 8);
  EXPECT_TRUE(comm.complete);
  EXPECT_THAT(comm.rings.at(1), ElementsAre(1, 0));
  ASSERT_EQ(comm.ranks.size(), 2u);
  EXPECT_EQ(comm.ranks[0].nvml_device, 4);
  EXPECT_EQ(comm.ranks[0].bus_id, "0000:9c:00.0");  // 0x09c000
  EXPECT_EQ(comm.ranks[1].bus_id, "0001:9c:00.0");  // 0x19c000: domain 1
  EXPECT_EQ(comm.ranks[1].host, "box");
  ASSERT_EQ(comm.trees.size(), 4u);
  EXPECT_EQ(comm.trees[0], (NcclTree{0, 0, -1, {1}}));
  EXPECT_THAT(comm.hops, ElementsAre(NcclHop{0, 1, 0, "P2P/CUMEM", false}));
}

TEST(NcclLog, RepeatedInitialisationsAreKeptApart) {
  const NcclLog log =
      read_ok(init(0, "a", "START") + info("Channel 00/01 : 0 1") + init(0, "a", "COMPLETE") +
              init(0, "b", "START") + info("Channel 00/01 : 1 0") + init(0, "b", "COMPLETE"));
  ASSERT_EQ(log.communicators.size(), 2u);
  EXPECT_EQ(log.communicators[0].id, "0xa");
  EXPECT_THAT(log.communicators[1].rings.at(0), ElementsAre(1, 0));
}

// Without commId a rank joins the first communicator of its size that does not have it yet.
TEST(NcclLog, OldInitialisationsArePairedByOrder) {
  const auto done = [](int rank) {
    return info("comm 0x7f" + std::to_string(rank) + " rank " + std::to_string(rank) +
                    " nranks 2 cudaDev 0 busId 160 - Init COMPLETE",
                rank);
  };
  const NcclLog log = read_ok(info("Channel 00 :    0   1") + done(0) + info("Channel 00 : 1 0") +
                              done(0) + done(1) + done(1));
  ASSERT_EQ(log.communicators.size(), 2u);
  EXPECT_EQ(log.communicators[0].ranks.size(), 2u);
  EXPECT_EQ(log.communicators[1].ranks.size(), 2u);
  EXPECT_THAT(log.communicators[1].rings.at(0), ElementsAre(1, 0));
  EXPECT_EQ(log.communicators[0].ranks[0].bus_id, "0000:00:16.0");  // 0x160: device 0x16
}

TEST(NcclLog, OldFormsOfRingsTreesAndHops) {
  const NcclLog log =
      read_ok(info("Ring 00 : 1[160] -> 0[160] [receive] via NET/AWS Libfabric/0") +
              info("Channel 00 : 0[0] -> 1[1] via P2P/IPC/read") +
              info("Channel 01/0 : 0[0] -> 1[1] [send] via NET/IB/3(1)/GDRDMA/Shared") +
              info("Channel 02 : 0[0] -> 1[1] via direct shared memory") +
              info("Trees [0] 1/2/-1->0->3|3->0->1/2/-1 [1] 3->0->1/-1/-1 [2] -1/-1/-"));
  const NcclCommunicator& comm = log.communicators.at(0);
  EXPECT_THAT(comm.hops,
              ElementsAre(NcclHop{0, 1, 0, "NET/AWS Libfabric", false},
                          NcclHop{0, 0, 1, "P2P/IPC/read", false}, NcclHop{1, 0, 1, "NET/IB", true},
                          NcclHop{2, 0, 1, "direct shared memory", false}));
  EXPECT_THAT(comm.trees, ElementsAre(NcclTree{0, 0, 3, {1, 2}}, NcclTree{1, 0, 3, {1}}));
}

TEST(NcclLog, ReadsSettingsNetworkAndWarnings) {
  const NcclLog log = read_ok(
      info("NCCL version 2.26.2+cuda12.2") + info("NCCL_P2P_LEVEL set by environment to LOC.") +
      info("NCCL_P2P_LEVEL set by environment to LOC") +
      info("NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>") +
      info("Using network IB") + info("NET/Plugin: Loaded net plugin Libfabric (v8)") +
      "box:1:1 [0] graph/search.cc:1127 NCCL WARN Could not find a path\n");
  EXPECT_THAT(log.versions, ElementsAre("2.26.2"));
  EXPECT_THAT(log.environment, ElementsAre(NcclSetting{"NCCL_P2P_LEVEL", "LOC"}));
  EXPECT_THAT(log.nics, ElementsAre("mlx5_0", "mlx5_1"));
  EXPECT_EQ(log.network, "IB");
  EXPECT_EQ(log.network_plugin, "Libfabric (v8)");
  EXPECT_THAT(log.warnings_of_nccl, ElementsAre("Could not find a path"));
}

TEST(NcclLog, ReadsTheGraphThatNcclFound) {
  const NcclLog log = read_ok(
      info("=== System : maxBw 48.0 totalBw 360.0 ===") + info("CPU/0 (1/1/2)") +
      info("+ PCI[24.0] - PCI/3000 (0)") + info("              + PCI[12.0] - GPU/7000 (0)") +
      info("                            + NVL[480.0] - NVS/0") + info("+ SYS[16.0] - CPU/1") +
      info("==========================================") +
      info("Pattern 4, crossNic 0, nChannels 12, bw 20.000000/10.000000, type NVL/PIX, "
           "sameChannels 1") +
      info("Pattern 1, crossNic 1, nChannels 6, speed 3/3, type SYS/NET, sameChannels 0"));
  EXPECT_EQ(log.system_max_gbs, 48.0);
  EXPECT_EQ(log.system_total_gbs, 360.0);
  ASSERT_EQ(log.links.size(), 4u);
  EXPECT_EQ(log.links[1].from, "PCI/3000");
  EXPECT_EQ(log.links[2].from, "GPU/7000");
  EXPECT_EQ(log.links[2].to, "NVS/0");
  EXPECT_EQ(log.links[2].gbs, 480.0);
  EXPECT_EQ(log.links[3].from, "CPU/0");
  ASSERT_EQ(log.graphs.size(), 2u);
  EXPECT_EQ(log.graphs[0].channels, 12);
  EXPECT_EQ(log.graphs[0].intra_gbs, 20.0);
  EXPECT_EQ(log.graphs[0].inter_gbs, 10.0);
  EXPECT_EQ(log.graphs[0].inter_type, "PIX");
  EXPECT_TRUE(log.graphs[0].same_channels);
  EXPECT_EQ(log.graphs[1].intra_gbs, 3.0);
}

// What rank 1 says while rank 0 prints its graph is about rank 1, and the tree goes on behind it.
TEST(NcclLog, AGraphThatIsBeingPrintedTakesNoOthersLines) {
  const NcclLog log = read_ok(
      info("=== System : maxBw 48.0 totalBw 360.0 ===") + info("CPU/0 (1/1/2)") +
      info("Channel 00/01 : 1 0", 1) + info("NET/IB : Using [0]mlx5_0:1/IB", 1) +
      info("+ PCI[24.0] - GPU/7000 (0)") + info("NCCL_ALGO set by environment to Ring.", 1) +
      info("              + NVL[480.0] - NVS/0"));
  ASSERT_EQ(log.communicators.size(), 1u);
  EXPECT_THAT(log.communicators[0].rings.at(0), ElementsAre(1, 0));
  EXPECT_THAT(log.nics, ElementsAre("mlx5_0"));
  EXPECT_THAT(log.environment, ElementsAre(NcclSetting{"NCCL_ALGO", "Ring"}));
  ASSERT_EQ(log.links.size(), 2u);
  EXPECT_EQ(log.links[0].from, "CPU/0");
  EXPECT_EQ(log.links[1].from, "GPU/7000");
}

TEST(NcclLog, ReadsChoicesByNumberAndByName) {
  const NcclLog log =
      read_ok(info("AllReduce: 1048576 Bytes -> Algo 1 proto 2 time 55.5") +
              info("AllGather: 8 Bytes -> Algo NVLS proto LL128 channel{Lo..Hi}={0..7}"));
  ASSERT_EQ(log.choices.size(), 2u);
  EXPECT_EQ(log.choices[0].algorithm, "ring");
  EXPECT_EQ(log.choices[0].protocol, "simple");
  EXPECT_EQ(log.choices[0].time_us, 55.5);
  EXPECT_EQ(log.choices[1].algorithm, "nvls");
  EXPECT_EQ(log.choices[1].bytes, 8);
  EXPECT_EQ(log.choices[1].time_us, std::nullopt);
}

TEST(NcclLog, WhatCannotBeKnownIsAbsentAndSaid) {
  EXPECT_THAT(codes("NCCL version 2.20.5\n" + init(0, "a", "COMPLETE")),
              ElementsAre("no-rings", "ranks-missing"));
  EXPECT_THAT(codes("NCCL version 2.20.5\n" + info("Channel 00/01 : 0 box") +
                    init(0, "a", "COMPLETE") + init(1, "a", "COMPLETE")),
              ElementsAre("cut-line", "rings-truncated"));
  EXPECT_THAT(codes(info("Connected all rings")), ElementsAre("no-version"));
}

TEST(NcclLog, ProcessesThatWriteOverEachOtherAreTakenApart) {
  const NcclLog log = read_ok(
      "box:1:1 [0] NCCL INFO Channel 00/01 : 0 1 box:2:2 [1] NCCL INFO "
      "Channel 00 : 1[1] -> 0[0] via P2P/IPC\n");
  ASSERT_EQ(log.communicators.size(), 2u);  // nothing says that both are of one communicator
  EXPECT_EQ(log.communicators[0].rings.size(), 1u);
  EXPECT_EQ(log.communicators[1].hops.size(), 1u);
}

TEST(NcclLog, OtherTextsAreRefused) {
  Diagnostics out;
  EXPECT_FALSE(read_nccl_log("GPU0 GPU1\n", "n.log", out));
  ASSERT_EQ(out.error_count(), 1);
  EXPECT_EQ(out.all()[0].code, "no-nccl-lines");
  EXPECT_THAT(out.all()[0].hint, HasSubstr("NCCL_DEBUG=INFO"));
}

TEST(NcclLog, DetailsWriteWhatIsKnown) {
  Diagnostics out;
  const std::optional<Imported> imported = nccl_log_importer().read(
      "NCCL version 2.20.5\n" + init(0, "a", "START") + info("Channel 00/01 : 0 1") +
          info("Channel 00/0 : 0[4] -> 1[5] via P2P/CUMEM") + init(0, "a", "COMPLETE"),
      "n.log", out);
  ASSERT_TRUE(imported);
  ASSERT_EQ(imported->gpus.size(), 1u);
  EXPECT_EQ(imported->gpus[0].number, 4);  // nvmlDev
  JsonWriter writer;
  writer.begin_object().inline_from_here();
  imported->details->write(writer);
  const std::string json = writer.end_object().take();
  EXPECT_THAT(json, HasSubstr("\"rings\": {\"0\": [0, 1]}, \"n_channels\": 1, \"nranks\": 2"));
  EXPECT_THAT(json, HasSubstr("\"transports\": [\"P2P/CUMEM\"], \"nccl_version\": \"2.20.5\""));
  EXPECT_THAT(json, HasSubstr("\"has_trees\": false"));
}

}  // namespace
}  // namespace heddle::io

// heddle sweep: a scenario at every combination of values.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <streambuf>

#include "sim/cli/progress.h"
#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

class GridSweepTest : public Program {
 protected:
  Outcome sweep(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sweep", path("tiny.json"), "--vary", "training.micro_batch=1,2,4"});
    return call(more);
  }
  static long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
};

TEST_F(GridSweepTest, PrintsALinePerPointAndCaseWhateverTheNumberOfThreads) {
  const std::vector<std::string> vary{"--vary", "training.sequence_length=128:256:2"};
  std::vector<std::string> one = vary;
  one.insert(one.end(), {"--jobs", "1"});
  const Outcome alone = sweep(one);
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(lines(alone.out), 3 * 2 * 4);
  expect_text(alone.out,
              R"("point": 5, "training.micro_batch": 4, "training.sequence_length": 256)");
  expect_text(alone.err, "24 cases, 0 refused");
  std::vector<std::string> many = vary;
  many.insert(many.end(), {"--jobs", "3"});
  EXPECT_EQ(sweep(many).out, alone.out);
}

TEST_F(GridSweepTest, SaysWhatRunSays) {
  const Outcome swept = sweep({"--case", "fast/ddp", "--format", "csv"});
  const Outcome ran = call({"run", path("tiny.json"), "--case", "fast/ddp", "--set",
                            "training.micro_batch=4", "--format", "csv"});
  // step_time_s,tokens_per_s,samples_per_s,mfu stand side by side in both.
  const std::size_t at = ran.out.find(",", ran.out.find("\nfast/ddp"));
  ASSERT_NE(at, std::string::npos);
  std::stringstream header(ran.out.substr(0, ran.out.find('\n')));
  std::stringstream row(ran.out.substr(ran.out.find('\n') + 1));
  std::string figures;
  for (std::string name, cell; std::getline(header, name, ',') && std::getline(row, cell, ',');) {
    if (name == "step_time_s" || name == "tokens_per_s" || name == "mfu" ||
        name == "samples_per_s") {
      figures += cell + ",";
    }
  }
  expect_text(swept.out, figures);
  const Outcome json =
      call({"run", path("tiny.json"), "--set", "training.micro_batch=4", "--format", "json"});
  const std::size_t mark = swept.out.rfind(",fast/ddp");
  const std::string fingerprint = swept.out.substr(mark - 16, 16);
  expect_text(json.out, fingerprint);
}

TEST_F(GridSweepTest, MakesWhatCannotBeRunALine) {
  const Outcome out =
      call({"sweep", path("tiny.json"), "--vary", "training.micro_batch=1,-1", "--vary",
            R"(/strategies/1={"strategy":"fsdp","dialect":"fsdp2","options":)"
            R"({"sharding_strategy":"shard_grad_op"}},"zero1")"});
  EXPECT_EQ(out.code, 0) << out.err;
  expect_text(out.out, "/training/micro_batch");
  EXPECT_EQ(call({"sweep", path("tiny.json"), "--vary", "training.micro_batch=0,-1"}).code, 5);
}

TEST_F(GridSweepTest, RunsTheOtherCasesBesideARefusedOne) {
  const Outcome out =
      call({"sweep", path("tiny.json"), "--vary", R"(/fabrics/0/gpus=[0,1],[0,99])"});
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(lines(out.out), 8);
  expect_text(out.out, "GPU 99 does not exist");
  expect_text(out.err, "8 cases, 2 refused");
}

TEST_F(GridSweepTest, KeepsRowsByWhereAndPareto) {
  const Outcome where = sweep({"--where", "strategy == ddp and training.micro_batch >= 2"});
  EXPECT_EQ(lines(where.out), 4);
  const Outcome pareto =
      sweep({"--pareto", "tokens_per_s", "--case", "fast/ddp", "--format", "csv"});
  EXPECT_EQ(lines(pareto.out), 2) << pareto.out;  // the header and the fastest
  EXPECT_EQ(sweep({"--where", "step_time < 1"}).code, 2);
  EXPECT_EQ(sweep({"--pareto", "bound_by"}).code, 2);
  EXPECT_EQ(sweep({"--vary", "training.micro_batch=8"}).code, 2);
  EXPECT_EQ(sweep({"--vary", "seed=1:2:0"}).code, 2);
}

TEST_F(GridSweepTest, GoesOnWhereItWasTornToTheSameBytes) {
  for (const std::string format : {"jsonl", "csv"}) {
    const std::string file = path("lines." + format);
    const std::vector<std::string> arguments{"--format", format, "--resume", file};
    ASSERT_EQ(sweep(arguments).code, 0);
    const std::string whole = read("lines." + format);
    for (const std::size_t size :
         {whole.size(), whole.size() - 1, whole.size() / 2, std::size_t{3}}) {
      write("lines." + format, whole.substr(0, size));
      const Outcome out = sweep(arguments);
      ASSERT_EQ(out.code, 0) << out.err;
      EXPECT_EQ(read("lines." + format), whole) << size;
      EXPECT_EQ(out.out, "");
    }
  }
}

TEST_F(GridSweepTest, RefusesToGoOnWithAnotherSweep) {
  const std::vector<std::string> arguments{"--resume", path("lines.jsonl")};
  ASSERT_EQ(sweep(arguments).code, 0);
  const std::string before = read("lines.jsonl");
  write("tiny.json", scenario("\"sequence_length\": 128", "\"sequence_length\": 64"));
  const Outcome out = sweep(arguments);
  EXPECT_EQ(out.code, 3);
  expect_text(out.err, "other-sweep");
  EXPECT_EQ(read("lines.jsonl"), before);
}

/// Interrupts the program once it has printed so many lines.
class InterruptingBuffer : public std::stringbuf {
 public:
  explicit InterruptingBuffer(int lines) : left_(lines) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    left_ -= static_cast<int>(std::count(text, text + size, '\n'));
    if (left_ <= 0 && !raised_) {
      raised_ = true;
      std::raise(SIGINT);
    }
    return std::stringbuf::xsputn(text, size);
  }

 private:
  int left_;
  bool raised_ = false;
};

TEST_F(GridSweepTest, EndsInOrderWhenInterrupted) {
  const std::string file = path("tiny.json");
  const std::vector<const char*> argv{"heddle",           "sweep",  file.c_str(), "--vary",
                                      "seed=1:2000:2000", "--jobs", "2"};
  InterruptingBuffer buffer(8);
  std::ostream out(&buffer);
  std::ostringstream err;
  const SmallCatalog catalog;
  const int code = run_cli(static_cast<int>(argv.size()), argv.data(), {catalog, "", out, err});
  EXPECT_EQ(code, 130);
  const std::string text = buffer.str();
  EXPECT_GE(lines(text), 8);
  EXPECT_LT(lines(text), 400);
  EXPECT_EQ(lines(text) % 4, 0);  // whole points
  EXPECT_EQ(text.back(), '\n');
}

TEST(Progress, SaysHowLongItWillTake) {
  EXPECT_EQ(progress_text("points", 0, 0, 10, 0), "points 0/10");
  EXPECT_EQ(progress_text("points", 10, 30, 100, 10), "points 30/100, 2.00/s, 35 s left");
  EXPECT_EQ(progress_text("points", 0, 1, 101, 1), "points 1/101, 1.00/s, 1 min 40 s left");
  EXPECT_EQ(progress_text("points", 0, 1, 7501, 1), "points 1/7501, 1.00/s, 2 h 05 min left");
}

}  // namespace
}  // namespace heddle::cli

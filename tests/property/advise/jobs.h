#pragma once
// Jobs small enough to run every candidate of.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw_models/catalog.h"
#include "sim/advise/search.h"
#include "sim/io/file.h"
#include "sim/io/scenario_reader.h"

namespace heddle::advise {

struct Job {
  std::string name;
  std::string file;
  std::size_t fabric = 0;
  std::vector<std::pair<std::string, std::string>> changes;
  bool prunes = true;  // false: steps of hooks and optimizer, which no bound sees
};

inline std::vector<Job> jobs() {
  const std::string mistral = "mistral-7b-4xh200.json";
  return {
      {"two_quads",
       mistral,
       1,
       {{"model.layers", "2"}, {"training.micro_batch", "2"}, {"training.accumulation", "2"}}},
      {"images", "dinov2-base-4xa100.json", 0, {{"training.micro_batch", "4"}}},
      {"two_machines",
       "mistral-7b-2x8xh200.json",
       0,
       {{"model.layers", "2"}, {"training.micro_batch", "2"}},
       false},
      {"tight",
       mistral,
       0,
       {{"model.layers", "4"}, {"training.micro_batch", "4"}, {"memory_capacity", "24 GB"}}},
  };
}

/// A job's space and everything behind it.
class Opened {
 public:
  explicit Opened(const Job& job)
      : catalog_(hw_models::open_catalog(std::string(HEDDLE_SOURCE_DIR) + "/hw_models")),
        shelf_(*catalog_, io::read_file),
        hardware_{*catalog_,
                  [this](const run::FabricChoice& choice, const std::string& name,
                         Diagnostics& out) { return shelf_.open(choice, name, out); },
                  catalog_->content_hash()} {
    const std::string file = std::string(HEDDLE_SOURCE_DIR) + "/scenarios/" + job.file;
    Diagnostics problems;
    auto scenario =
        io::read_scenario(io::read_file(file), file, job.changes, io::read_file, problems);
    for (const Diagnostic& d : problems.all()) {
      if (d.severity == Severity::kError) ADD_FAILURE() << format(d);
    }
    space_ = space_of(*scenario, job.fabric, shelf_, problems).value();
    runner_.emplace(space_, hardware_);
    bounds_ = Bounds::create(space_, *runner_);
  }

  const Space& space() const { return space_; }
  const CaseRunner& runner() const { return *runner_; }
  const Bounds& bounds() const { return *bounds_; }

 private:
  std::unique_ptr<run::HardwareCatalog> catalog_;
  run::MachineShelf shelf_;
  run::Hardware hardware_;
  Space space_;
  std::optional<CaseRunner> runner_;
  std::optional<Bounds> bounds_;
};

}  // namespace heddle::advise

#pragma once
// Scenario in, results out: expands the cases, resolves the hardware, plans, executes, measures.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/engine/executor.h"
#include "sim/parallel/strategy.h"
#include "sim/run/case_result.h"
#include "sim/run/group_models.h"
#include "sim/run/hardware_catalog.h"
#include "sim/run/machine.h"
#include "sim/run/plan_shelf.h"
#include "sim/run/scenario.h"

namespace heddle::run {

/// A fabric and a strategy out of the scenario's lists; the id is "<fabric id>/<strategy id>".
struct CaseId {
  std::size_t fabric = 0;
  std::size_t strategy = 0;
  std::string id;
};

/// Every combination, fabrics outermost, in file order.
std::vector<CaseId> expand_cases(const Scenario& scenario);

/// The scenario with that case alone.
Scenario only_case(const Scenario& scenario, const CaseId& id);

/// 16 hex digits over program version, scenario, hardware files and seed.
std::string fingerprint_of(const Scenario& scenario, std::uint64_t hardware_hash);

/// Finds the machine of a choice (resolve_machine(), or one known already).
using OpenMachine = std::function<std::optional<Machine>(
    const FabricChoice& choice, const std::string& file, Diagnostics& out)>;

/// Hardware that many studies share; refers to the catalog.
struct Hardware {
  const HardwareCatalog& catalog;
  OpenMachine open;
  std::uint64_t hash = 0;  // the catalog's content_hash(), which reads every file
};

/// Resolved once per scenario, shared by its cases. Errors (unknown node, GPU numbers the node
/// lacks, no path) are collected over all fabrics before nullopt is returned.
class Study {
 public:
  static std::optional<Study> create(Scenario scenario, const HardwareCatalog& catalog,
                                     const ReadText& read, Diagnostics& out);
  static std::optional<Study> create(Scenario scenario, const Hardware& hardware, Diagnostics& out);

  const Scenario& scenario() const { return scenario_; }
  const std::vector<CaseId>& cases() const { return cases_; }
  /// The resolved machine of a case, for titles and explanations.
  const fabric::Fabric& fabric(const CaseId& id) const { return machines_[id.fabric].fabric; }
  const model::GpuModel& gpu(const CaseId& id) const { return machines_[id.fabric].gpu; }
  std::span<const fabric::DeviceId> members(const CaseId& id) const {
    return machines_[id.fabric].members;
  }
  const collective::CollectiveModel& world(const CaseId& id) const {
    return machines_[id.fabric].world;
  }
  const Machine& machine(const CaseId& id) const { return machines_[id.fabric]; }
  /// How the groups of the case's communicators talk.
  const GroupModels& groups(const CaseId& id) const;
  /// What the case's schedule runs on; refers to this study.
  engine::Platform platform(const CaseId& id) const;
  /// `record` keeps intervals, memory samples and link loads for traces. Any number of threads may
  /// run cases of one study.
  CaseResult run(const CaseId& id, bool record) const;
  std::string fingerprint() const { return fingerprint_of(scenario_, hardware_hash_); }

 private:
  Study() = default;
  bool find_groups(Diagnostics& out);
  std::shared_ptr<const Plan> plan(const CaseId& id) const;

  Scenario scenario_;
  model::ModelGraph graph_;
  std::vector<Machine> machines_;                                // by scenario fabric
  std::vector<std::unique_ptr<parallel::Strategy>> strategies_;  // by scenario strategy
  std::vector<CaseId> cases_;
  std::vector<GroupModels> groups_;  // by case
  std::uint64_t hardware_hash_ = 0;
  std::unique_ptr<PlanShelf> plans_ = std::make_unique<PlanShelf>();  // a study moves, locks do not
};

}  // namespace heddle::run

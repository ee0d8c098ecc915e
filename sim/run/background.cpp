#include "sim/run/background.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/collective/collective_model.h"
#include "sim/fabric/device_names.h"

namespace heddle::run {
namespace {

constexpr Bandwidth kUnlimited{std::numeric_limits<std::int64_t>::max()};

/// Turns one choice into a flow; after an error its flow is of no use.
class Resolver {
 public:
  Resolver(const BackgroundChoice& choice, const BackgroundPlace& place, Diagnostics& out)
      : choice_(choice), place_(place), out_(out) {}

  engine::BackgroundFlow resolve() {
    flow_.name = choice_.name;
    flow_.payload = choice_.bytes;
    flow_.cap = kUnlimited;
    flow_.period = choice_.period;
    flow_.start = SimTime{} + choice_.start;
    std::visit([this](const auto& what) { resolve(what); }, choice_.what);
    return std::move(flow_);
  }

 private:
  const fabric::Fabric& fabric() const { return place_.fabric; }
  fabric::NamePlace at() const { return {place_.file, choice_.pointer}; }
  void fail(std::string code, std::string message, std::string hint) {
    out_.error(std::move(code), place_.file, choice_.pointer, 0, std::move(message),
               std::move(hint));
  }
  void resolve(const PointFlow& flow);
  void resolve(const TenantCollective& other);
  std::vector<fabric::DeviceId> members_of(const TenantCollective& other);
  bool is_gpu(fabric::DeviceId id) const {
    return fabric().device(id).kind == fabric::DeviceKind::kGpu;
  }

  const BackgroundChoice& choice_;
  const BackgroundPlace& place_;
  Diagnostics& out_;
  engine::BackgroundFlow flow_;
};

void Resolver::resolve(const PointFlow& flow) {
  const auto from = fabric::find_device(fabric(), flow.from, at(), out_);
  const auto to = fabric::find_device(fabric(), flow.to, at(), out_);
  if (!from || !to) return;
  if (fabric().device(*from).node != fabric().device(*to).node) {
    fail("not-modelled", "background traffic between machines is not modelled",
         "name two devices of one machine");
    return;
  }
  const bool staged = !place_.p2p && is_gpu(*from) && is_gpu(*to);
  const auto kind = staged ? fabric::RouteKind::kHostStaged : fabric::RouteKind::kPeer;
  for (const fabric::LinkId link : fabric().route(*from, *to, kind)) {
    flow_.uses.push_back({link, kPpb, kPpb});
  }
  if (flow.rate) flow_.cap = *flow.rate;
  if (!flow_.uses.empty()) return;
  fail("no-path", fmt::format("no path from {} to {}", flow.from, flow.to),
       "name two GPUs, CPUs or NICs that links join; switches are no ends");
}

std::vector<fabric::DeviceId> Resolver::members_of(const TenantCollective& other) {
  std::vector<fabric::DeviceId> members;
  for (const std::string& name : other.gpus) {
    const auto gpu = fabric::find_gpu(fabric(), name, at(), out_);
    if (!gpu) continue;
    members.push_back(*gpu);
    if (std::find(place_.job.begin(), place_.job.end(), *gpu) == place_.job.end()) continue;
    fail("not-modelled",
         fmt::format("{} works for the job itself; jobs that share a GPU are not modelled",
                     fabric().device(*gpu).name),
         "give the other job GPUs of its own");
  }
  return members;
}

void Resolver::resolve(const TenantCollective& other) {
  const int errors_before = out_.error_count();
  std::vector<fabric::DeviceId> members = members_of(other);
  if (out_.error_count() > errors_before) return;
  Diagnostics refused;
  const auto model =
      collective::CollectiveModel::create(fabric(), std::move(members), {}, place_.tuning, refused);
  for (Diagnostic d : refused.all()) {  // it knows the fabric, not where the scenario names it
    d.file = place_.file;
    d.pointer = choice_.pointer;
    out_.add(std::move(d));
  }
  if (!model) return;
  if (const auto refusal = model->refusal(other.kind)) {
    fail(refusal->code, refusal->reason, refusal->hint);
    return;
  }
  const collective::CollectiveCost cost = model->cost({other.kind, choice_.bytes});
  flow_.cap = cost.rate_cap;
  flow_.latency = cost.latency;
  flow_.uses.assign(cost.uses.begin(), cost.uses.end());
}

}  // namespace

std::vector<engine::BackgroundFlow> resolve_background(std::span<const BackgroundChoice> choices,
                                                       const BackgroundPlace& place,
                                                       Diagnostics& out) {
  std::vector<engine::BackgroundFlow> flows;
  for (const BackgroundChoice& choice : choices) {
    flows.push_back(Resolver(choice, place, out).resolve());
  }
  return flows;
}

}  // namespace heddle::run

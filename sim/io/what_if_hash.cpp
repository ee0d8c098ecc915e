#include "sim/io/what_if_hash.h"

#include <string_view>

namespace heddle::io {
namespace {

struct ChangeHash {
  StableHash& hash;

  void operator()(const fabric::LinkDown& c) const { hash.add(std::string_view(c.link)); }
  void operator()(const fabric::LinkCapacity& c) const {
    const auto* rate = std::get_if<Bandwidth>(&c.capacity);
    hash.add(std::string_view(c.link)).add(std::int64_t{rate != nullptr});
    hash.add(rate ? rate->bytes_per_second : std::get<std::int64_t>(c.capacity));
  }
  void operator()(const fabric::NvlinkOff& c) const { hash.add(std::string_view(c.gpu)); }
  void operator()(const fabric::SlowGpu& c) const {
    hash.add(std::string_view(c.gpu)).add(c.speed_ppb);
  }
};

struct BackgroundHash {
  StableHash& hash;

  void operator()(const run::PointFlow& flow) const {
    hash.add(std::string_view(flow.from)).add(std::string_view(flow.to));
    hash.add(flow.rate ? flow.rate->bytes_per_second : std::int64_t{-1});
  }
  void operator()(const run::TenantCollective& other) const {
    hash.add(static_cast<std::int64_t>(other.kind)).add(std::uint64_t{other.gpus.size()});
    for (const std::string& gpu : other.gpus) hash.add(std::string_view(gpu));
  }
};

}  // namespace

void add_what_ifs(const run::FabricChoice& choice, StableHash& hash) {
  if (!choice.changes.empty()) {
    hash.add(std::string_view("changes")).add(std::uint64_t{choice.changes.size()});
    for (const fabric::Change& change : choice.changes) {
      hash.add(std::uint64_t{change.what.index()});
      std::visit(ChangeHash{hash}, change.what);
    }
  }
  if (choice.background.empty()) return;
  hash.add(std::string_view("background")).add(std::uint64_t{choice.background.size()});
  for (const run::BackgroundChoice& flow : choice.background) {
    hash.add(std::string_view(flow.name)).add(std::uint64_t{flow.what.index()});
    std::visit(BackgroundHash{hash}, flow.what);
    hash.add(flow.bytes.value).add(flow.period.ps).add(flow.start.ps);
  }
}

}  // namespace heddle::io

#include "sim/run/machine_shelf.h"

#include <algorithm>
#include <utility>

namespace heddle::run {
namespace {

constexpr std::size_t kMostMachines = 256;

}  // namespace

FabricChoice without_place(FabricChoice choice) {
  choice.id.clear();
  choice.pointer.clear();
  choice.line = 0;
  for (fabric::Change& change : choice.changes) change.pointer.clear();
  for (BackgroundChoice& traffic : choice.background) traffic.pointer.clear();
  return choice;
}

MachineShelf::MachineShelf(const HardwareCatalog& catalog, ReadText read)
    : catalog_(catalog), read_(std::move(read)) {}

std::optional<Machine> MachineShelf::open(const FabricChoice& choice, const std::string& file,
                                          Diagnostics& out) {
  FabricChoice key = without_place(choice);
  const auto is_wanted = [&](const Known& known) { return known.choice == key; };
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(known_.begin(), known_.end(), is_wanted);
    if (found != known_.end()) return found->machine;
  }
  Diagnostics notes;  // warnings would come with the first study only
  auto machine = resolve_machine(choice, file, catalog_, read_, notes);
  for (const Diagnostic& note : notes.all()) out.add(note);
  if (!machine || !notes.empty()) return machine;
  const std::lock_guard lock(mutex_);
  const bool is_new = std::none_of(known_.begin(), known_.end(), is_wanted);
  if (is_new && known_.size() < kMostMachines) known_.push_back({std::move(key), *machine});
  return machine;
}

}  // namespace heddle::run

#include "sim/run/plan_shelf.h"

namespace heddle::run {

std::shared_ptr<const Plan> PlanShelf::get(const PlanKey& key,
                                           const std::function<schedule::Schedule()>& make) {
  Place* place = nullptr;
  {
    const std::lock_guard lock(mutex_);
    place = &places_[key];
  }
  std::call_once(place->made, [&] { place->plan = std::make_shared<const Plan>(make()); });
  return place->plan;
}

}  // namespace heddle::run

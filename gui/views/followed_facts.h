#pragma once
// What belongs to the operation that was picked, as lines of the details.

#include <vector>

#include "gui/views/fact_list.h"

namespace heddle::gui {

class CaseView;
struct Followed;

void add_followed(std::vector<Fact>& facts, const CaseView& view, const Followed& followed);

}  // namespace heddle::gui

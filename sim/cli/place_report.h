#pragma once
// The answer of `heddle place`, for a terminal and as JSON (heddle.place/1).

#include <string>

#include "sim/cli/place_search.h"

namespace heddle::cli {

std::string place_table(const PlaceAnswer& answer);
std::string place_json(const PlaceAnswer& answer);

}  // namespace heddle::cli

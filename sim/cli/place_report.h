#pragma once
// The answer of `heddle place`, for a terminal and as JSON (heddle.place/1).

#include <string>
#include <vector>

#include "sim/cli/place_search.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {

/// Ids, the one with the fastest placement first.
std::vector<std::string> place_strategies(const PlaceAnswer& answer);
/// Best first.
std::vector<const RankedPlace*> places_of(const PlaceAnswer& answer, const std::string& strategy);
/// Titles and, for one of `rows`, cells: those of the table. A fabric stands first where they
/// differ.
std::vector<Column> place_columns(const PlaceAnswer& answer,
                                  const std::vector<const RankedPlace*>& rows);
std::vector<std::string> place_cells(const PlaceAnswer& answer,
                                     const std::vector<const RankedPlace*>& rows, std::size_t row);

std::string place_table(const PlaceAnswer& answer);
std::string place_json(const PlaceAnswer& answer);

}  // namespace heddle::cli

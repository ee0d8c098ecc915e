#pragma once
// Two result files laid side by side, as a table, JSON or a page of HTML that needs nothing else.

#include <string>
#include <vector>

#include "validator/judge/quantities.h"
#include "validator/judge/report_lanes.h"

namespace heddle::validator_cli {

struct Side {
  std::string file;
  judge::QuantitySet set;
};

struct Comparison {
  Side a;
  Side b;
  std::vector<judge::QuantityPair> pairs;
};

/// "12.3 ms", "1.08 GB", "4.2 1/s"
std::string quantity_text(double value, const std::string& unit);
std::string difference_text(const judge::QuantityPair& pair);

/// `lanes` of those of the files that have them.
std::string comparison_page(const std::vector<Comparison>& all,
                            const std::vector<judge::ReportLanes>& lanes);

}  // namespace heddle::validator_cli

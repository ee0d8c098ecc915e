#pragma once
// What a calibration found out about a machine, on its way into an overlay file.

#include <string>
#include <vector>

namespace heddle::run {

struct CalibratedValue {
  std::string parameter;  // an overlay's keys: "host_staging/per_cta_same_socket"
  double value = 0;       // share, bytes/s or seconds
  double sigma = 0;       // relative standard deviation
};

struct CalibratedValues {
  std::string name;     // of the overlay
  std::string summary;  // one line
  std::string source;   // files, rows, NCCL's version
  std::string date;     // "2026-11-29"
  std::vector<CalibratedValue> values;
};

}  // namespace heddle::run

#include "hw_models/nic_reader.h"

#include "hw_models/data_file.h"
#include "hw_models/quantity.h"

namespace heddle::hw_models {

NicModel read_nics(const io::Value& value, Diagnostics& out) {
  io::ObjectReader nics(value, out);
  QuantityReader quantity(nics, out);
  NicModel read;
  const auto per_gpu = nics.optional("per_gpu");
  if (per_gpu) read.per_gpu = quantity.count("per_gpu", "NICs", 1);
  if (per_gpu && nics.optional("count")) {
    per_gpu->error("conflict", "\"count\" is given too", "keep one of the two", out);
  } else if (!per_gpu) {
    read.count = quantity.count("count", "NICs", 1);
  }
  read.link = read_text(nics, "link", out);
  nics.finish();
  return read;
}

}  // namespace heddle::hw_models

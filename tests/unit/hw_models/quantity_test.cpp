#include "hw_models/quantity.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

/// Reads {"x": {...}} with `read` and returns what was complained about.
template <typename Read>
Diagnostics read_x(const std::string& quantity, Read read) {
  Diagnostics out;
  const auto document = io::JsonDocument::parse("{\"x\": " + quantity + "}", "x.json", out);
  EXPECT_TRUE(document.has_value());
  io::ObjectReader object(document->root(), out);
  QuantityReader reader(object, out);
  read(reader);
  object.finish();
  return out;
}

std::string quantity(const std::string& value, const std::string& kind = "measured",
                     const std::string& rest = "") {
  return "{\"value\": " + value + ", \"kind\": \"" + kind +
         "\", \"source\": \"bench\", \"date\": \"2024-11\"" + rest + "}";
}

TEST(Quantity, ReadsValuesWithTheirUnits) {
  EXPECT_TRUE(read_x(quantity("\"4.8 TB/s\""), [](QuantityReader& q) {
                EXPECT_EQ(q.bandwidth("x").bytes_per_second, 4'800'000'000'000);
              }).empty());
  EXPECT_TRUE(read_x(quantity("\"1 GiB\""), [](QuantityReader& q) {
                EXPECT_EQ(q.bytes("x").value, 1'073'741'824);
              }).empty());
  EXPECT_TRUE(read_x(quantity("\"89.5 %\""), [](QuantityReader& q) {
                EXPECT_DOUBLE_EQ(q.share("x"), 0.895);
              }).empty());
  EXPECT_TRUE(read_x(quantity("\"132 SMs\""), [](QuantityReader& q) {
                EXPECT_EQ(q.count("x", "SMs", 1), 132);
              }).empty());
  EXPECT_TRUE(read_x(quantity("\"1 SM\""), [](QuantityReader& q) {
                EXPECT_EQ(q.count("x", "SMs", 1), 1);
              }).empty());
}

TEST(Quantity, RefusesNumbersWithoutUnit) {
  const auto bandwidth = [](QuantityReader& q) { q.bandwidth("x"); };
  const auto count = [](QuantityReader& q) { q.count("x", "SMs", 1); };
  const auto share = [](QuantityReader& q) { q.share("x"); };
  EXPECT_TRUE(read_x(quantity("\"4.8\""), bandwidth).has_errors());
  EXPECT_TRUE(read_x(quantity("4.8"), bandwidth).has_errors());
  EXPECT_TRUE(read_x(quantity("\"132\""), count).has_errors());
  EXPECT_TRUE(read_x(quantity("\"132 GPUs\""), count).has_errors());
  EXPECT_TRUE(read_x(quantity("\"0 SMs\""), count).has_errors());
  EXPECT_TRUE(read_x(quantity("\"0.9\""), share).has_errors());
  EXPECT_TRUE(read_x(quantity("\"101 %\""), share).has_errors());
  EXPECT_TRUE(read_x(quantity("\"0 %\""), share).has_errors());
  EXPECT_TRUE(read_x("\"4.8 TB/s\"", bandwidth).has_errors());
}

TEST(Quantity, RefusesNumbersWithoutOrigin) {
  const auto read = [](QuantityReader& q) { q.bandwidth("x"); };
  const std::string value = "\"value\": \"1 GB/s\"";
  const Diagnostics bare = read_x("{" + value + "}", read);
  EXPECT_EQ(bare.error_count(), 3);  // kind, source and date
  EXPECT_TRUE(has_code(bare, "missing-key"));
  EXPECT_TRUE(has_code(read_x(quantity("\"1 GB/s\"", "guess"), read), "unknown-kind"));
  EXPECT_TRUE(has_code(read_x(quantity("\"1 GB/s\"", "assumed"), read), "missing-key"));
  EXPECT_TRUE(read_x(quantity("\"1 GB/s\"", "assumed", ", \"sigma\": \"5 %\""), read).empty());
  EXPECT_TRUE(has_code(read_x(quantity("\"1 GB/s\"", "measured", ", \"sigma\": \"0.05\""), read),
                       "bad-sigma"));
  EXPECT_TRUE(has_code(
      read_x("{" + value + ", \"kind\": \"measured\", \"source\": \"s\", \"date\": \"May\"}", read),
      "bad-date"));
}

TEST(Quantity, RefusesUnknownKeys) {
  const Diagnostics out = read_x(quantity("\"1 GB/s\"", "measured", ", \"sigmas\": \"5 %\""),
                                 [](QuantityReader& q) { q.bandwidth("x"); });
  EXPECT_TRUE(has_code(out, "unknown-key"));
}

}  // namespace
}  // namespace heddle::hw_models

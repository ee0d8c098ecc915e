// The schema and the reader must know the same keys.

#include <algorithm>

#include "sim/io/json_document.h"
#include "sim/io/scenario_writer.h"
#include "tests/unit/io/scenarios.h"

namespace heddle::io {
namespace {

using Names = std::vector<std::string>;

/// Where an object of a scenario is described, and where one stands in the small scenario.
struct Described {
  const char* schema;
  const char* scenario;
};

constexpr Described kObjects[] = {
    {"", ""},
    {"/properties/model", "/model"},
    {"/properties/training", "/training"},
    {"/properties/training/properties/optimizer", "/training/optimizer"},
    {"/properties/host", "/host"},
    {"/properties/variation", "/variation"},
    {"/properties/cost", "/cost"},
    {"/$defs/fabric", "/fabrics/0"},
    {"/$defs/fabric", "/fabrics/1"},
    {"/$defs/change", "/fabrics/1/changes/0"},
    {"/$defs/change", "/fabrics/1/changes/1"},
    {"/$defs/change", "/fabrics/1/changes/3"},
    {"/$defs/change", "/fabrics/1/changes/4"},
    {"/$defs/background", "/fabrics/1/background/0"},
    {"/$defs/background", "/fabrics/1/background/1"},
    {"/$defs/background", "/fabrics/1/background/2"},
    {"/$defs/strategy", "/strategies/1"}};

std::optional<Value> follow(Value value, std::string_view pointer) {
  Diagnostics ignored;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string token(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(token.size());
    const bool array = value.kind() == JsonKind::kArray;
    const auto next = array ? value.items(ignored).at(std::stoul(token)) : value.member(token);
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

JsonDocument parsed(const std::string& text) {
  Diagnostics out;
  const auto document = JsonDocument::parse(text, "text", out);
  EXPECT_TRUE(document) << text;
  return *document;
}

Names properties_of(const JsonDocument& schema, const Described& object) {
  const auto found = follow(schema.root(), std::string(object.schema) + "/properties");
  EXPECT_TRUE(found) << object.schema;
  return found->keys();
}

TEST(ScenarioSchema, HasEveryKeyThatIsWritten) {
  const JsonDocument schema = parsed(scenario_schema());
  for (const OverrideList& overrides : {OverrideList{}, image_training()}) {
    const Read read = read_small(overrides);
    ASSERT_TRUE(read.scenario) << read.messages();
    const JsonDocument written = parsed(write_scenario(*read.scenario));
    for (const Described& object : kObjects) {
      const Names known = properties_of(schema, object);
      for (const std::string& key : follow(written.root(), object.scenario)->keys()) {
        EXPECT_NE(std::find(known.begin(), known.end(), key), known.end())
            << object.scenario << " " << key;
      }
    }
  }
}

TEST(ScenarioSchema, HasNoKeyThatIsRefused) {
  const JsonDocument schema = parsed(scenario_schema());
  for (const Described& object : kObjects) {
    for (const std::string& key : properties_of(schema, object)) {
      const Read read = read_small({{std::string(object.scenario) + "/" + key, "null"}});
      for (const Diagnostic& d : read.out.all()) EXPECT_NE(d.code, "unknown-key") << format(d);
    }
  }
}

}  // namespace
}  // namespace heddle::io

// Values of a scenario changed by name, and read back from the name they leave.
#include "runtime/network/scenario_change.h"

#include <gtest/gtest.h>

#include "runtime/data/reader_catalog.h"
#include "runtime/network/scenario_catalog.h"

namespace quintet {
namespace {

Scenario lenet() {
  return find_scenario("generated-lenet").value();
}

TEST(ScenarioChange, ShowsInTheNameWhereItChangesTheArithmetic) {
  Scenario scenario = lenet();
  ASSERT_TRUE(change_scenario(scenario, "batch", "16"));
  ASSERT_TRUE(change_scenario(scenario, "precision", "amp"));
  ASSERT_TRUE(change_scenario(scenario, "steps", "7"));
  EXPECT_EQ(scenario.name, "generated-lenet (batch = 16, precision = amp)");
  EXPECT_EQ(scenario.batch, 16);
  EXPECT_EQ(scenario.precision, Precision::amp);
  EXPECT_EQ(scenario.steps, 7);
}

TEST(ScenarioChange, IsMadeAgainFromTheNameItLeft) {
  Scenario changed = lenet();
  for (const auto& [key, value] : {std::pair{"batch", "16"},
                                   {"lowering", "fused"},
                                   {"resident_input", "true"},
                                   {"precision", "amp"}}) {
    ASSERT_TRUE(change_scenario(changed, key, value));
  }
  const ChangedName name = split_name(changed.name);
  EXPECT_EQ(name.base, "generated-lenet");
  Scenario again = lenet();
  ASSERT_TRUE(apply_changes(again, name.changes));
  EXPECT_EQ(again.name, changed.name);
  EXPECT_EQ(again.batch, 16);
  EXPECT_EQ(again.lowering, Lowering::fused);
  EXPECT_EQ(again.precision, Precision::amp);
  EXPECT_TRUE(again.resident_input);
}

TEST(ScenarioChange, LeavesAnUnchangedNameWhole) {
  EXPECT_EQ(split_name("generated-lenet").base, "generated-lenet");
  EXPECT_EQ(split_name("generated-lenet").changes, "");
}

TEST(ScenarioChange, RefusesUnknownKeysAndValuesAndChangesNothing) {
  Scenario scenario = lenet();
  const auto key = change_scenario(scenario, "bach", "16");
  ASSERT_FALSE(key);
  EXPECT_NE(key.error().cure.find("batch"), std::string::npos) << key.error().cure;
  for (const auto& [name, value] : {std::pair{"batch", "0"},
                                    {"batch", "16x"},
                                    {"batch", "1000000001"},
                                    {"epochs", "9223372036854775807"},
                                    {"precision", "fp8"},
                                    {"lowering", ""},
                                    {"resident_input", "yes"}}) {
    EXPECT_FALSE(change_scenario(scenario, name, value)) << name << " = " << value;
  }
  EXPECT_FALSE(apply_changes(scenario, "batch 16"));
  EXPECT_EQ(scenario.name, lenet().name);
  EXPECT_EQ(scenario.batch, lenet().batch);
}

TEST(DataShape, IsReadBackFromItsText) {
  const DataShape shape{60000, 10000, 28, 30, 3, 10};
  EXPECT_EQ(text_of(shape), "60000 + 10000 of 28x30x3, 10 classes");
  EXPECT_EQ(parse_data_shape(text_of(shape)).value(), shape);
  for (const char* text :
       {"", "60000", "1 + 2 of 3x4x5, 6 classes more", "a + 2 of 3x4x5, 6 classes"})
    EXPECT_FALSE(parse_data_shape(text)) << text;
}

TEST(DataShape, IsKnownOfEveryReaderWithoutOpening) {
  for (const DataReader& reader : reader_catalog()) {
    DataSource source;
    source.generated = {40, 20, 8, 9, 2, 5};
    const DataShape shape = reader.shape(source);
    EXPECT_GT(shape.train_count, 0) << reader.name;
    if (!reader.generated) continue;
    EXPECT_EQ(shape, shape_of(reader.open(source).value())) << reader.name;
  }
}

}  // namespace
}  // namespace quintet

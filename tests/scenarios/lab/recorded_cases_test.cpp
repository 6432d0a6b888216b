// Recordings as cases of a fit: which belong together, which are refused.
#include "scenarios/lab/recorded_cases.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_reader.h"

namespace quintet {
namespace {

NamedTrace named_recording(const std::string& name) {
  return {name, read_trace(std::string(QUINTET_RECORDED_DIR) + "/" + name + ".qtrace.gz").value()};
}

TEST(RecordedCases, AreOneForEachScenario) {
  const auto cases = fit_cases_of({named_recording("mlp-b128-renaissance-event_sync"),
                                   named_recording("resnet18-b256-serial-whole_step"),
                                   named_recording("mlp-b128-serial-whole_step"),
                                   named_recording("mlp-b128-serial-event_sync"),
                                   named_recording("resnet18-b256-renaissance-whole_step")});
  ASSERT_TRUE(cases) << to_string(cases.error());
  ASSERT_EQ(cases->size(), 2U);
  EXPECT_EQ(cases->at(0).recorded.mode, StepMode::whole_step);
  ASSERT_EQ(cases->at(0).measured.size(), 2U);
  EXPECT_EQ(cases->at(0).measured[0].name, "mlp-b128-renaissance-event_sync");
  EXPECT_EQ(cases->at(0).measured[0].plan.mode, StepMode::event_sync);
  EXPECT_NEAR(cases->at(0).measured[0].step_ns, 88'800, 200);
  EXPECT_EQ(cases->at(1).measured.size(), 1U);
}

TEST(RecordedCases, OfTheSameTasksAreOneHoweverTheScenarioWasGiven) {
  NamedTrace other = named_recording("mlp-b128-serial-event_sync");
  other.trace.provenance["scenario"] =
      "generated-mlp-512 (batch = 128, precision = amp, lowering = fused, resident_input = true)";
  const auto cases =
      fit_cases_of({named_recording("mlp-b128-serial-whole_step"), std::move(other)});
  ASSERT_TRUE(cases) << to_string(cases.error());
  EXPECT_EQ(cases->size(), 1U);
}

TEST(RecordedCases, NeedARecordingOnOneStreamInWholeSteps) {
  const auto cases = fit_cases_of({named_recording("mlp-b128-serial-event_sync"),
                                   named_recording("mlp-b128-renaissance-whole_step")});
  ASSERT_FALSE(cases);
  EXPECT_NE(cases.error().message.find("generated-mlp-512"), std::string::npos);
  EXPECT_NE(cases.error().cure.find("--policy serial"), std::string::npos);
}

TEST(RecordedCases, AreOfOneDeviceAndOfOurs) {
  NamedTrace other = named_recording("mlp-b128-serial-event_sync");
  other.trace.provenance["gpu"] = "NVIDIA Something Else";
  const auto two = fit_cases_of({named_recording("mlp-b128-serial-whole_step"), std::move(other)});
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().file, "mlp-b128-serial-event_sync");
  NamedTrace import = named_recording("mlp-b128-serial-whole_step");
  import.trace.provenance.clear();
  EXPECT_FALSE(fit_cases_of({std::move(import)}));
}

}  // namespace
}  // namespace quintet

#include "profiler/import/step_name.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(StepName, IsAWordAMarkAndANumber) {
  EXPECT_EQ(named_step("ProfilerStep#12"), (NamedStep{12, StepMark::profiler_step}));
  EXPECT_EQ(named_step("step 0"), (NamedStep{0, StepMark::step}));
  EXPECT_EQ(named_step("Iteration_7"), (NamedStep{7, StepMark::iteration}));
  EXPECT_EQ(named_step("step-4"), (NamedStep{4, StepMark::step}));
  for (const char* other : {"", "step", "step ", "step 3 forward", "step#-4", "steps 3", "3",
                            "optimizer step 3", "step 99999999999999999999", "step # 3"})
    EXPECT_EQ(named_step(other), std::nullopt) << other;
}

TEST(StepName, IsThePayloadOfAStepInOurOwnDomain) {
  EXPECT_EQ(named_step("step", "quintet", 5), (NamedStep{5, StepMark::payload}));
  EXPECT_EQ(named_step("step", "quintet", -1), std::nullopt);
  EXPECT_EQ(named_step("step", "quintet", std::nullopt), std::nullopt);
  EXPECT_EQ(named_step("step", "other", 5), std::nullopt);
  EXPECT_EQ(named_step("step 6", "quintet", 5), (NamedStep{6, StepMark::step}));
  EXPECT_EQ(named_step("conv1", "quintet", 5), std::nullopt);
}

}  // namespace
}  // namespace quintet

#include "runtime/model/execution_plan.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(ExecutionPlan, NamesAGraphWithTheShapesItHas) {
  ExecutionPlan plan;
  plan.shapes = {{kAnyShape, "any", 0, false},
                 {ShapeId(1), "train", 64, true},
                 {ShapeId(2), "train_tail", 32, true}};
  EXPECT_EQ(plan.name({GraphId::ZERO_GRAD}), "ZERO_GRAD");
  EXPECT_EQ(plan.name({GraphId::DEEP_FWD_BWD, ShapeId(1)}), "DEEP_FWD_BWD@train");
  EXPECT_EQ(plan.name({GraphId::WHOLE_STEP_A, ShapeId(1), ShapeId(2)}),
            "WHOLE_STEP_A@train>train_tail");
}

}  // namespace
}  // namespace quintet

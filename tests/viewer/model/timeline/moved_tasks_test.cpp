#include "viewer/model/timeline/moved_tasks.h"

#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"
#include "viewer/model/timeline/drafted_lanes.h"

namespace quintet::viewer {
namespace {

TEST(MovedTasks, AreThoseWhoseLaneIsCalledOtherwise) {
  const Trace before = tiny_trace();
  Trace after = tiny_trace();
  const LaneId was = *after.tasks[1].policy_lane;
  after.tasks[1].policy_lane = LaneId(2);
  after.tasks[2].policy_lane.reset();
  Trace named = after;
  named.tasks[1].name += "/renamed";
  const auto moved = moved_from(before, after);
  ASSERT_EQ(moved.size(), after.tasks.size());
  EXPECT_EQ(moved[1], was.value());
  EXPECT_FALSE(moved[0]);
  EXPECT_FALSE(moved[2]);
  EXPECT_FALSE(moved_from(before, named)[1]);
  EXPECT_TRUE(moved_from(Trace{}, Trace{}).empty());
}

TEST(DraftedLanes, FollowThePolicyAndLeaveWhatNoRuleCovers) {
  Trace trace;
  trace.tasks.resize(3);
  trace.tasks[0].policy_lane = lane_of(StreamKind::COMP_1);
  trace.tasks[1].policy_lane = lane_of(StreamKind::COMP_3);
  trace.tasks[2].policy_lane = lane_of(StreamKind::COMP_1);
  std::vector<Task> tasks(2);
  tasks[0].kind = ComputeOp::CONV_FP32_BWD;
  tasks[1].kind = ComputeOp::CONV_FP32_BWD;
  const auto policy = parse_policy(
      "name = \"test\"\nsync = \"dataflow\"\ngradients = \"separate\"\nstep = \"event_sync\"\n"
      "[ops]\nCONV_FP32_BWD = \"COMP_3\"\n",
      "test.toml");
  ASSERT_TRUE(policy) << to_string(policy.error());
  const auto drafted = drafted_lanes(trace, tasks, *policy);
  ASSERT_EQ(drafted.size(), 3U);
  EXPECT_EQ(drafted[0], lane_of(StreamKind::COMP_3).value());
  EXPECT_FALSE(drafted[1]);
  EXPECT_FALSE(drafted[2]);
}

}  // namespace
}  // namespace quintet::viewer

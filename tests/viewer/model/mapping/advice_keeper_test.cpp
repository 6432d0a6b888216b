// Advice on the open recording, and what it writes into the draft.
#include "viewer/model/mapping/advice_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/trace/trace_reader.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/viewer/model/part_bench.h"
#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/model/mapping/mapping_keeper.h"

namespace quintet::viewer::test {
namespace {

Trace recorded(const std::string& name) {
  auto trace = read_trace(QUINTET_SOURCE_DIR "/scenarios/recorded/" + name + ".qtrace.gz");
  if (trace) return std::move(*trace);
  ADD_FAILURE() << to_string(trace.error());
  return {};
}

class AdviceOnARecording : public testing::Test {
 protected:
  AdviceOnARecording() {
    auto made = std::make_unique<MappingKeeper>("");
    mapping_ = made.get();
    bench_.parts().add(std::move(made));
  }
  const AdviceKeeper& advice() { return bench_.part(); }
  /// As a compressed recording: its draft is kept in the state folder only, and there is none.
  void open(Trace trace) { bench_.open(std::move(trace), Side::a, "run.qtrace.gz"); }
  void settle() {
    for (int frame = 0; frame < 8; ++frame)
      bench_.frame();
  }

  PartBench<AdviceKeeper> bench_;
  MappingKeeper* mapping_ = nullptr;
};

TEST_F(AdviceOnARecording, IsRankedAndItsFirstMoveIsOneEditOfTheDraft) {
  open(recorded("mlp-b128-serial-whole_step"));
  EXPECT_EQ(advice().report(), nullptr);
  settle();
  ASSERT_NE(advice().report(), nullptr);
  const std::vector<Advice>& moves = advice().report()->advice;
  ASSERT_GE(moves.size(), 2U);
  for (std::size_t rank = 1; rank < moves.size(); ++rank)
    EXPECT_GE(moves[rank - 1].gain_ns, moves[rank].gain_ns);
  ASSERT_EQ(advice().edits().size(), moves.size());
  EXPECT_FALSE(advice().edits().front().made);
  const StreamPolicy before = mapping_->draft().policy();
  ASSERT_TRUE(bench_.send(command_id::kEditPolicy, edit_text(advice().edits().front().edit)));
  settle();
  ASSERT_EQ(mapping_->draft().done(), 1U);
  EXPECT_EQ(mapping_->draft().undo_name(), moves.front().title);
  EXPECT_NE(mapping_->draft().policy(), before);
  EXPECT_TRUE(advice().edits().front().made);
  EXPECT_FALSE(advice().edits().back().made);
  ASSERT_TRUE(mapping_->verdict()->forecast.has_value());
  EXPECT_NEAR(mapping_->verdict()->forecast->step_ns, moves.front().step_ns, 1);
  bench_.send(command_id::kUndo);
  settle();
  EXPECT_EQ(mapping_->draft().policy(), before);
  EXPECT_FALSE(advice().edits().front().made);
}

TEST_F(AdviceOnARecording, GivesAReasonWhereTheRecordingCannotBePlanned) {
  open(Trace{});
  settle();
  EXPECT_EQ(advice().report(), nullptr);
  ASSERT_TRUE(advice().refusal().has_value());
  EXPECT_FALSE(advice().refusal()->message.empty());
}

TEST_F(AdviceOnARecording, ComesAnewWithAnotherRecordingAndGoesWithTheLast) {
  open(Trace{});
  settle();
  ASSERT_TRUE(advice().refusal().has_value());
  open(recorded("mlp-b128-renaissance-event_sync"));
  settle();
  EXPECT_FALSE(advice().refusal().has_value());
  EXPECT_NE(advice().report(), nullptr);
  bench_.workbench().documents[0].reset();
  settle();
  EXPECT_EQ(advice().report(), nullptr);
  EXPECT_TRUE(advice().edits().empty());
}

TEST_F(AdviceOnARecording, IsNotLookedForWhileItsPaneIsHidden) {
  bench_.workbench().layout.right_shown = false;
  open(recorded("mlp-b128-serial-whole_step"));
  settle();
  EXPECT_EQ(advice().report(), nullptr);
  bench_.workbench().layout.right_shown = true;
  settle();
  EXPECT_NE(advice().report(), nullptr);
}

TEST(AdviceEditOf, LeavesOtherEditsOfTheDraft) {
  const StreamPolicy recorded = *find_policy("renaissance");
  StreamPolicy draft = recorded;
  draft.gradients = GradientMode::separate;
  StreamPolicy advised = recorded;
  advised.name = "renaissance (moved)";
  advised.layers.insert(advised.layers.begin(),
                        {"fc1/FC_AMP_BWD/dW", StreamKind::UPDATE, 0, "why"});
  const AdviceEdit moved = advice_edit(recorded, advised, draft, "moved");
  EXPECT_TRUE(std::holds_alternative<SetLayerStreams>(moved.edit.change));
  EXPECT_EQ(moved.edit.name, "moved");
  EXPECT_FALSE(moved.made);
  advised = recorded;
  advised.priorities[index_of(StreamKind::COMP_1)] = -1;
  const AdviceEdit urgent = advice_edit(recorded, advised, draft, "urgent");
  ASSERT_TRUE(std::holds_alternative<SetPriority>(urgent.edit.change));
  const auto urgent_draft = changed(draft, urgent.edit.change);
  ASSERT_TRUE(urgent_draft.has_value()) << to_string(urgent_draft.error());
  EXPECT_EQ(urgent_draft->priorities, advised.priorities);
  EXPECT_EQ(urgent_draft->gradients, GradientMode::separate);
  advised = recorded;
  advised.issue.push_back({"fc1/FC_AMP_BWD/dW", "fc1/FC_AMP_BWD/dX", 0, "why"});
  const AdviceEdit later = advice_edit(recorded, advised, draft, "later");
  EXPECT_FALSE(later.made);
  const auto after = changed(draft, later.edit.change);
  ASSERT_TRUE(after.has_value()) << to_string(after.error());
  EXPECT_EQ(after->issue, advised.issue);
  EXPECT_EQ(after->gradients, GradientMode::separate);
  EXPECT_EQ(after->name, draft.name);
  EXPECT_TRUE(advice_edit(recorded, advised, *after, "later").made);
}

TEST(AdviceEditOf, PutsTheWholePolicyWhereNoSingleEditDoesIt) {
  const StreamPolicy recorded = *find_policy("renaissance");
  StreamPolicy advised = *find_policy("serial");
  const AdviceEdit whole = advice_edit(recorded, advised, recorded, "all");
  ASSERT_TRUE(std::holds_alternative<ReplaceText>(whole.edit.change));
  const auto after = changed(recorded, whole.edit.change);
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(after->name, recorded.name);
  EXPECT_EQ(after->parts, advised.parts);
  EXPECT_EQ(after->ops, advised.ops);
}

}  // namespace
}  // namespace quintet::viewer::test

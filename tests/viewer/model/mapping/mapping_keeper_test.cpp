// The mapping of an open recording under the hand: edits, tries, refusals, and what is kept of them.
#include "viewer/model/mapping/mapping_keeper.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/trace/trace_reader.h"
#include "runtime/policy/policy_catalog.h"
#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"

namespace quintet::viewer::test {
namespace {

class Keeper : public testing::Test {
 protected:
  Keeper() {
    folder_ =
        std::filesystem::temp_directory_path() / ("quintet_keeper_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Keeper() override { std::filesystem::remove_all(folder_); }

  void open(const std::string& name, const std::string& file = {}) {
    auto trace = read_trace(QUINTET_SOURCE_DIR "/scenarios/recorded/" + name + ".qtrace.gz");
    ASSERT_TRUE(trace.has_value()) << to_string(trace.error());
    Document document;
    document.trace = std::make_shared<const Trace>(std::move(*trace));
    document.file = file.empty() ? name + ".qtrace.gz" : file;
    document.generation = ++workbench_.generations;
    workbench_.documents[0] = std::move(document);
  }

  /// Frames until nothing is left to do.
  void settle() {
    for (int frame = 0; frame < 8; ++frame) {
      background_.finish();
      PartContext context = this->context();
      keeper_.prepare(context);
    }
    background_.finish();
  }
  bool run(std::string_view id, CommandArgument argument = {}) {
    PartContext context = this->context();
    return keeper_.handle({id, std::move(argument)}, context);
  }
  PartContext context() { return {workbench_, background_, queue_, parts_}; }
  std::uint32_t task_called(const std::string& part) const {
    for (const Task& task : keeper_.tasks()) {
      if (task.name.ends_with(part)) return task.id.value();
    }
    ADD_FAILURE() << part;
    return 0;
  }

  std::filesystem::path folder_;
  Workbench workbench_;
  CommandQueue queue_;
  Parts parts_;
  MappingKeeper keeper_{folder_.string()};
  Background background_;
};

TEST_F(Keeper, PlansAnOpenRecordingAgainAndProvesIt) {
  open("mlp-b128-renaissance-event_sync");
  EXPECT_FALSE(keeper_.ready());
  settle();
  ASSERT_TRUE(keeper_.ready());
  EXPECT_FALSE(keeper_.table().rows.empty());
  ASSERT_NE(keeper_.verdict(), nullptr);
  EXPECT_FALSE(keeper_.proving());
  EXPECT_EQ(keeper_.verdict()->kind, VerdictKind::race_free);
  EXPECT_EQ(workbench_.draft_toml, "");
  workbench_.documents[0].reset();
  settle();
  EXPECT_FALSE(keeper_.ready());
}

TEST_F(Keeper, SaysWhyAnImportCannotBeEdited) {
  Document document;
  document.trace = std::make_shared<const Trace>();
  document.generation = ++workbench_.generations;
  workbench_.documents[0] = document;
  settle();
  EXPECT_FALSE(keeper_.ready());
  ASSERT_TRUE(keeper_.refusal().has_value());
  EXPECT_FALSE(keeper_.refusal()->message.empty());
}

TEST_F(Keeper, MovesTheSelectedTaskOnceItsProofIsThereAndUndoesIt) {
  open("resnet18-b256-renaissance-dataflow-event_sync");
  settle();
  workbench_.selection.task = task_called("/CONV_AMP_BWD/dW");
  ASSERT_TRUE(run(command_id::kMove, StreamMove{std::nullopt, 4, MoveScope::kind}));
  ASSERT_TRUE(run(command_id::kMove, StreamMove{std::nullopt, 2, MoveScope::kind}));
  EXPECT_EQ(keeper_.draft().done(), 0U);
  settle();
  ASSERT_EQ(keeper_.draft().done(), 2U) << "both moves, in turn";
  EXPECT_EQ(keeper_.draft().undo_name(), "conv dW -> COMP_2");
  EXPECT_TRUE(workbench_.policy_edited);
  EXPECT_NE(workbench_.draft_toml, "");
  EXPECT_FALSE(keeper_.changes().empty());
  EXPECT_FALSE(keeper_.verdict()->added.empty() && keeper_.verdict()->freed.empty());
  run(command_id::kUndo);
  run(command_id::kUndo);
  settle();
  EXPECT_TRUE(keeper_.draft().unchanged());
  EXPECT_EQ(workbench_.draft_toml, "");
  EXPECT_EQ(keeper_.verdict()->waits, keeper_.base()->waits);
}

TEST_F(Keeper, TriesAMoveWithoutMakingIt) {
  open("resnet18-b256-renaissance-dataflow-event_sync");
  settle();
  const StreamMove move{task_called("/CONV_AMP_BWD/dX"), 1, MoveScope::layer};
  ASSERT_TRUE(run(command_id::kPreviewMove, move));
  settle();
  EXPECT_EQ(keeper_.draft().done(), 0U);
  ASSERT_TRUE(keeper_.tried().has_value());
  ASSERT_NE(keeper_.tried_verdict(), nullptr);
  EXPECT_TRUE(drop_answer(*keeper_.tried_verdict(), *keeper_.tried_policy()).allowed);
  run(command_id::kMove, move);
  settle();
  EXPECT_EQ(keeper_.draft().done(), 1U);
  EXPECT_FALSE(keeper_.tried().has_value());
}

TEST_F(Keeper, PredictsWhatIsTriedAndEditedAsSideBAndTakesItAway) {
  open("resnet18-b256-renaissance-event_sync");
  settle();
  ASSERT_TRUE(keeper_.base()->forecast.has_value()) << keeper_.base()->why_no_forecast;
  EXPECT_GT(keeper_.base()->forecast->step_ns, 0);
  EXPECT_TRUE(queue_.empty()) << "nothing is edited";
  run(command_id::kTryEdit, edit_text(move_task(keeper_.tasks(), keeper_.draft().policy(),
                                                keeper_.tasks()[task_called("/CONV_AMP_BWD/dW")],
                                                StreamKind::COMP_2, MoveReach::kind)));
  settle();
  for (const Command& command : queue_.take()) {
    ASSERT_EQ(command.id, command_id::kPlace);
    EXPECT_EQ(command.get<PlaceDocument>()->side, Side::b);
    apply_command(command, workbench_);
  }
  ASSERT_NE(workbench_.document(Side::b), nullptr);
  EXPECT_EQ(workbench_.shown, Shown::both);
  EXPECT_GT(workbench_.document(Side::b)->trace->spans.size(), 0U);
  EXPECT_THAT(forecast_text(*keeper_.tried_verdict()), testing::HasSubstr("predicted"));
  run(command_id::kDropPreview);
  settle();
  EXPECT_EQ(workbench_.document(Side::b), nullptr);
  EXPECT_EQ(workbench_.shown, Shown::a);
}

TEST_F(Keeper, RefusesAMoveThatRacesAndOffersWhatWouldAllowIt) {
  open("resnet18-b256-renaissance-dataflow-event_sync");
  settle();
  run(command_id::kEditPolicy,
      edit_text(set_sync(SyncRule::manual, listed_edges(*keeper_.base()->plan))));
  settle();
  ASSERT_EQ(keeper_.verdict()->kind, VerdictKind::race_free) << headline(*keeper_.verdict());
  const StreamMove move{task_called("/CONV_AMP_FWD/Y"), 3, MoveScope::kind};
  run(command_id::kMove, move);
  settle();
  EXPECT_EQ(keeper_.draft().done(), 1U);
  ASSERT_TRUE(keeper_.refused().has_value());
  EXPECT_FALSE(keeper_.refused()->answer.cures.empty());
  ASSERT_NE(workbench_.log.alert(), nullptr);
  EXPECT_THAT(workbench_.log.alert()->text, testing::HasSubstr("refused"));
  run(command_id::kEditPolicy, edit_text(keeper_.refused()->answer.cures.front()));
  settle();
  EXPECT_EQ(keeper_.draft().done(), 2U);
  EXPECT_FALSE(keeper_.refused().has_value());
}

TEST_F(Keeper, KeepsADraftAndTakesItUpAgain) {
  const std::string file = (folder_ / "run.qtrace").string();
  open("mlp-b128-renaissance-event_sync", file);
  settle();
  run(command_id::kEditPolicy, edit_text(set_gradients(GradientMode::separate)));
  settle();
  EXPECT_TRUE(std::filesystem::exists(draft_path(file)));
  workbench_.documents[0].reset();
  settle();
  open("mlp-b128-renaissance-event_sync", file);
  settle();
  ASSERT_TRUE(keeper_.ready());
  EXPECT_EQ(keeper_.draft().undo_name(), "gradients = separate");
  EXPECT_EQ(keeper_.draft().policy().gradients, GradientMode::separate);
}

TEST_F(Keeper, SavesThePolicyAndBeginsWithAnother) {
  open("mlp-b128-renaissance-event_sync");
  settle();
  const std::filesystem::path began = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  run(command_id::kSavePolicy);
  EXPECT_TRUE(std::filesystem::exists("renaissance-step-event_sync-edited.toml"));
  std::filesystem::current_path(began);
  run(command_id::kEditPolicy, edit_text(begin_with(*find_policy("serial"))));
  settle();
  EXPECT_EQ(keeper_.draft().undo_name(), "begin with serial");
  EXPECT_EQ(keeper_.draft().policy(), *find_policy("serial"));
  const std::string path = (folder_ / "mine.toml").string();
  run(command_id::kSavePolicyAs, path);
  EXPECT_FALSE(workbench_.policy_edited);
  const auto saved = load_policy(path);
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(*saved, keeper_.draft().policy());
}

}  // namespace
}  // namespace quintet::viewer::test

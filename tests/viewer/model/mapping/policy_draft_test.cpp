// Random edits of random policies: undoing all of them gives the base, what is saved is what is
// parsed, and every edit does what its name says.
#include "viewer/model/mapping/policy_draft.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"
#include "tests/support/random.h"
#include "viewer/model/mapping/draft_file.h"

namespace quintet::test {
namespace {

StreamPolicy builtin_draft(const std::string& name) {
  auto policy = find_policy(name);
  EXPECT_TRUE(policy.has_value()) << to_string(policy.error());
  return std::move(*policy);
}

const std::vector<Task>& lenet_tasks() {
  static const std::vector<Task> kTasks = planned_input("lenet5").tasks;
  return kTasks;
}

const Task& task_called(const std::string& name) {
  const auto& tasks = lenet_tasks();
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) { return task.name == name; });
  EXPECT_NE(found, tasks.end()) << name;
  return *found;
}

StreamKind stream_in(const StreamPolicy& policy, const Task& task) {
  const auto choice = stream_of(policy, task);
  EXPECT_TRUE(choice.has_value()) << to_string(choice.error());
  return choice->stream;
}

StreamKind any_stream(TestRandom& random) {
  return kStreamKinds[static_cast<std::size_t>(random.integer(0, 4))];
}

const Task& any_task(TestRandom& random) {
  const auto& tasks = lenet_tasks();
  while (true) {
    const auto index =
        static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(tasks.size()) - 1));
    if (!runs_on_host(tasks[index].graph)) return tasks[index];
  }
}

PolicyEdit any_edit(TestRandom& random, const PolicyDraft& draft) {
  const auto one_of = [&](std::int64_t count) {
    return static_cast<std::uint8_t>(random.integer(0, count - 1));
  };
  const ManualEdge edge{any_task(random).name, any_task(random).name, 0};
  switch (random.integer(0, 11)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return move_task(lenet_tasks(), draft.policy(), any_task(random), any_stream(random),
                       static_cast<MoveReach>(one_of(4)));
    case 4:
      return launch_on(any_task(random).graph, any_stream(random));
    case 5:
      return set_priority(any_stream(random), static_cast<int>(random.integer(-5, 0)));
    case 6:
      return set_sync(static_cast<SyncRule>(one_of(4)), {{"a\"b/\\K/dW", "c\td/K/dX", 0}});
    case 7:
      return set_gradients(static_cast<GradientMode>(one_of(2)));
    case 8:
      return set_step(static_cast<StepMode>(one_of(3)));
    case 9:
      return add_edge(edge);
    case 10:
      return draft.policy().edges.empty() ? remove_edge(edge)
                                          : remove_edge(draft.policy().edges.front());
    default:
      return rename_policy("mine \"#\" = [x]\n" + std::to_string(random.integer(0, 99)));
  }
}

TEST(PolicyDraft, AfterAnyEditsIsWhatItsTextSaysAndUndoingAllGivesTheBase) {
  for (const BuiltinPolicy& policy : policy_catalog()) {
    TestRandom random(17);
    const StreamPolicy base = builtin_draft(std::string(policy.name));
    PolicyDraft draft(base);
    std::vector<StreamPolicy> history = {draft.policy()};
    for (int edit = 0; edit < 150; ++edit) {
      const StreamPolicy before = draft.policy();
      if (!draft.apply(any_edit(random, draft))) {
        ASSERT_EQ(draft.policy(), before);
        continue;
      }
      history.push_back(draft.policy());
      const auto parsed = parse_policy(draft.toml(), "x.toml");
      ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error()) << draft.toml();
      ASSERT_EQ(*parsed, draft.policy());
      ASSERT_EQ(draft.changes().empty(), draft.policy() == base) << draft.toml();
    }
    ASSERT_GT(draft.done(), 80U);
    while (draft.can_undo()) {
      ASSERT_EQ(draft.policy(), history[draft.done()]);
      draft.undo();
    }
    EXPECT_EQ(draft.policy(), base);
    EXPECT_TRUE(draft.unchanged());
    while (draft.can_redo())
      draft.redo();
    EXPECT_EQ(draft.policy(), history.back());
  }
}

TEST(PolicyDraft, KeptBesideARecordingComesBackWithItsUndoList) {
  TestRandom random(5);
  PolicyDraft draft(builtin_draft("renaissance"));
  for (int edit = 0; edit < 60; ++edit)
    (void)draft.apply(any_edit(random, draft));
  for (int back = 0; back < 7; ++back)
    draft.undo();
  auto restored = draft_from_text(draft_text(draft), "x.draft.json");
  ASSERT_TRUE(restored.has_value()) << to_string(restored.error());
  EXPECT_EQ(restored->policy(), draft.policy());
  EXPECT_EQ(restored->toml(), draft.toml());
  EXPECT_EQ(restored->base(), draft.base());
  while (draft.can_redo()) {
    EXPECT_EQ(restored->redo_name(), draft.redo_name());
    draft.redo();
    restored->redo();
    EXPECT_EQ(restored->policy(), draft.policy());
  }
  while (draft.can_undo()) {
    EXPECT_EQ(restored->undo_name(), draft.undo_name());
    draft.undo();
    restored->undo();
  }
  EXPECT_EQ(restored->policy(), draft.base());
}

TEST(PolicyDraft, RefusesADraftFileThatIsNone) {
  for (const char* text : {"", "{", "[]", "{\"schema\":\"other\"}", "{\"schema\":1}"}) {
    const auto draft = draft_from_text(text, "x.draft.json");
    ASSERT_FALSE(draft.has_value()) << text;
    EXPECT_EQ(draft.error().file, "x.draft.json");
  }
}

TEST(PolicyDraft, MovesEveryTaskOfAKindOrOneLayerOrThatAndAllAfter) {
  PolicyDraft draft(builtin_draft("renaissance"));
  const Task& dw = task_called("conv2/CONV_FP32_BWD/dW");
  ASSERT_TRUE(draft.apply(
      move_task(lenet_tasks(), draft.policy(), dw, StreamKind::COMP_2, MoveReach::kind)));
  EXPECT_EQ(draft.undo_name(), "conv dW -> COMP_2");
  EXPECT_EQ(stream_in(draft.policy(), dw), StreamKind::COMP_2);
  EXPECT_THAT(draft.toml(),
              testing::HasSubstr(
                  "\"CONV_FP32_BWD/dW\" = \"COMP_2\"  # moved by hand: conv dW -> COMP_2\n"));
  const Task& relu = task_called("relu2/RELU_FP32_FWD/Y");
  ASSERT_TRUE(draft.apply(
      move_task(lenet_tasks(), draft.policy(), relu, StreamKind::UPDATE, MoveReach::layer_after)));
  EXPECT_EQ(draft.undo_name(), "relu fwd of relu2 and after -> UPDATE");
  EXPECT_NE(stream_in(draft.policy(), task_called("relu1/RELU_FP32_FWD/Y")), StreamKind::UPDATE);
  EXPECT_EQ(stream_in(draft.policy(), task_called("relu3/RELU_FP32_FWD/Y")), StreamKind::UPDATE);
  ASSERT_TRUE(draft.apply(
      move_task(lenet_tasks(), draft.policy(), relu, StreamKind::COMP_3, MoveReach::layer)));
  EXPECT_EQ(stream_in(draft.policy(), relu), StreamKind::COMP_3);
  EXPECT_EQ(stream_in(draft.policy(), task_called("relu3/RELU_FP32_FWD/Y")), StreamKind::UPDATE);
  ASSERT_TRUE(draft.apply(
      move_task(lenet_tasks(), draft.policy(), relu, StreamKind::COMP_1, MoveReach::kind)));
  for (const Task& task : lenet_tasks()) {
    if (task.kind == relu.kind) {
      EXPECT_EQ(stream_in(draft.policy(), task), StreamKind::COMP_1);
    }
  }
}

TEST(PolicyDraft, MovesWhatAGlobOfTheFileHadPinned) {
  StreamPolicy base = builtin_draft("renaissance");
  base.layers.push_back({"conv*", StreamKind::TRANS, 0});
  PolicyDraft draft(base);
  const Task& dw = task_called("conv2/CONV_FP32_BWD/dW");
  ASSERT_EQ(stream_in(draft.policy(), dw), StreamKind::TRANS);
  for (const MoveReach reach : {MoveReach::kind, MoveReach::op, MoveReach::layer}) {
    ASSERT_TRUE(
        draft.apply(move_task(lenet_tasks(), draft.policy(), dw, StreamKind::COMP_2, reach)));
    EXPECT_EQ(stream_in(draft.policy(), dw), StreamKind::COMP_2);
    draft.undo();
  }
}

TEST(PolicyDraft, TellsWhereEditedTextIsWrongAndKeepsWhatWasThere) {
  PolicyDraft draft(builtin_draft("serial"));
  const std::string good = draft.toml();
  const auto failed = draft.apply(replace_text("name = \"x\"\nsync = \"dataflow\"\nstep = 3\n"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().line, 3);
  EXPECT_EQ(draft.toml(), good);
  std::string edited = good;
  edited.replace(edited.find("step = \"host_sync\""), 18, "step = \"event_sync\"");
  ASSERT_TRUE(draft.apply(replace_text(edited)));
  EXPECT_EQ(draft.policy().step, StepMode::event_sync);
  ASSERT_EQ(draft.changes().size(), 1U);
  EXPECT_EQ(text_of(draft.changes().front()),
            "~ step: host_sync -> event_sync  (set by hand: edit of the text)");
}

TEST(PolicyDraft, RefusesEdgesWhereTheRulePlansItsOwn) {
  PolicyDraft draft(builtin_draft("renaissance-dataflow"));
  const ManualEdge edge{"conv2/CONV_FP32_BWD/dW", "conv2/CONV_FP32_BWD/dX", 0};
  EXPECT_FALSE(draft.apply(add_edge(edge)));
  ASSERT_TRUE(draft.apply(set_sync(SyncRule::manual)));
  ASSERT_TRUE(draft.apply(add_edge(edge)));
  EXPECT_FALSE(draft.apply(add_edge(edge)));
  EXPECT_THAT(draft.toml(), testing::HasSubstr("to = \"conv2/CONV_FP32_BWD/dX\"  # set by hand: "));
  ASSERT_TRUE(draft.apply(remove_edge(edge)));
  EXPECT_FALSE(draft.apply(remove_edge(edge)));
}

TEST(PolicyDraft, IsSavedWholeOrNotAtAll) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("quintet_draft_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  PolicyDraft draft(builtin_draft("renaissance"));
  ASSERT_TRUE(draft.apply(set_step(StepMode::whole_step)));
  const std::string path = (folder / "mine.toml").string();
  ASSERT_TRUE(draft.save_as(path));
  const auto loaded = load_policy(path);
  ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
  EXPECT_EQ(*loaded, draft.policy());
  const auto failed = draft.save_as((folder / "none" / "mine.toml").string());
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, testing::HasSubstr("No such file"));
  const std::string kept = draft_path((folder / "run.qtrace").string());
  ASSERT_TRUE(keep_draft(draft, kept));
  ASSERT_TRUE(load_draft(kept).has_value());
  draft = PolicyDraft(builtin_draft("renaissance"));
  ASSERT_TRUE(keep_draft(draft, kept));
  EXPECT_FALSE(std::filesystem::exists(kept));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace quintet::test

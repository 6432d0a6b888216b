// The graph behind the Graph view: laid out when it is looked at, folded and revealed on command.
#include "viewer/model/dag/dag_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/trace/trace_reader.h"
#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"

namespace quintet::viewer::test {
namespace {

class Dag : public testing::Test {
 protected:
  Dag() {
    auto mapping = std::make_unique<MappingKeeper>("");
    mapping_ = mapping.get();
    parts_.add(std::move(mapping));
    auto dag = std::make_unique<DagKeeper>();
    dag_ = dag.get();
    parts_.add(std::move(dag));
    auto trace = read_trace(QUINTET_SOURCE_DIR
                            "/scenarios/recorded/resnet18-b256-renaissance-event_sync.qtrace.gz");
    EXPECT_TRUE(trace.has_value());
    Document document;
    document.trace = std::make_shared<const Trace>(std::move(*trace));
    document.generation = ++workbench_.generations;
    workbench_.documents[0] = std::move(document);
  }
  void settle() {
    for (int frame = 0; frame < 8; ++frame) {
      background_.finish();
      PartContext context{workbench_, background_, queue_, parts_};
      parts_.prepare(context);
    }
    background_.finish();
  }
  void run(std::string_view id, CommandArgument argument = {}) {
    PartContext context{workbench_, background_, queue_, parts_};
    parts_.handle({id, std::move(argument)}, context);
  }
  const Trace& trace() const { return *workbench_.documents[0]->trace; }

  Workbench workbench_;
  CommandQueue queue_;
  Parts parts_;
  MappingKeeper* mapping_ = nullptr;
  DagKeeper* dag_ = nullptr;
  Background background_;
};

TEST_F(Dag, IsLaidOutOnceItsTabIsShownAndMarksWaitsThatOrderNothing) {
  workbench_.bottom_tab = "tasks";
  settle();
  EXPECT_EQ(dag_->scene(), nullptr);
  workbench_.bottom_tab = "graph";
  settle();
  ASSERT_NE(dag_->scene(), nullptr);
  EXPECT_FALSE(dag_->stale());
  EXPECT_THAT(dag_->scene()->graph.name, testing::StartsWith("DEEP_FWD_BWD"));
  EXPECT_TRUE(std::any_of(dag_->scene()->graph.nodes.begin(), dag_->scene()->graph.nodes.end(),
                          [](const DagNode& node) { return node.surplus > 0; }))
      << "within a block";
  run(command_id::kGraphUnfoldAll);
  settle();
  EXPECT_TRUE(std::any_of(dag_->scene()->graph.edges.begin(), dag_->scene()->graph.edges.end(),
                          [](const DagEdge& edge) { return edge.surplus; }));
}

TEST_F(Dag, UnfoldsFoldsAndShowsAnotherGraph) {
  workbench_.bottom_tab = "graph";
  settle();
  const std::size_t folded = dag_->scene()->graph.nodes.size();
  const auto fold =
      std::find_if(dag_->scene()->graph.nodes.begin(), dag_->scene()->graph.nodes.end(),
                   [](const DagNode& node) { return node.folded; });
  run(command_id::kGraphFold, fold->group);
  settle();
  EXPECT_GT(dag_->scene()->graph.nodes.size(), folded);
  run(command_id::kGraphUnfoldAll);
  settle();
  EXPECT_EQ(dag_->scene()->graph.nodes.size(), dag_->scene()->graph.tasks);
  run(command_id::kGraphFoldAll);
  settle();
  EXPECT_EQ(dag_->scene()->graph.nodes.size(), folded);
  run(command_id::kGraphShow, dag_->graphs().front());
  settle();
  EXPECT_EQ(dag_->scene()->graph.name, dag_->graphs().front());
}

TEST_F(Dag, RevealsTheSelectedTaskInAGraphThatHoldsIt) {
  workbench_.bottom_tab = "graph";
  settle();
  const auto optimizer =
      std::find_if(trace().tasks.begin(), trace().tasks.end(),
                   [](const TraceTask& task) { return task.graph == "OPTIMIZER"; });
  ASSERT_NE(optimizer, trace().tasks.end());
  workbench_.selection.task = static_cast<std::uint32_t>(optimizer - trace().tasks.begin());
  run(command_id::kShowInGraph);
  EXPECT_EQ(dag_->reveals(), 1U);
  ASSERT_FALSE(queue_.empty());
  settle();
  EXPECT_TRUE(dag_->scene()->graph.node_of(*workbench_.selection.task).has_value());
}

TEST_F(Dag, ShowsTheEditedMappingBesideTheRecordedOne) {
  workbench_.bottom_tab = "graph";
  settle();
  EXPECT_FALSE(dag_->can_draft());
  const std::size_t recorded = dag_->scene()->graph.edges.size();
  run(command_id::kEditPolicy, edit_text(set_sync(SyncRule::dataflow)));
  settle();
  ASSERT_TRUE(dag_->can_draft());
  EXPECT_EQ(dag_->scene()->graph.edges.size(), recorded) << "still as recorded";
  run(command_id::kGraphDraft);
  settle();
  EXPECT_TRUE(dag_->scene()->drafted);
  EXPECT_TRUE(std::none_of(dag_->scene()->graph.edges.begin(), dag_->scene()->graph.edges.end(),
                           [](const DagEdge& edge) { return edge.surplus; }));
  run(command_id::kUndo);
  settle();
  EXPECT_FALSE(dag_->scene()->drafted);
}

}  // namespace
}  // namespace quintet::viewer::test

// Hazards as they are built by mistake, planted in a sound plan: the proof names each by tasks, region
// and bytes.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"
#include "tests/support/sanitizers.h"

namespace quintet::test {
namespace {

ExecutionPlan sound_plan(const char* network, StepMode mode) {
  StreamPolicy policy = *find_policy("renaissance-dataflow");
  policy.gradients = GradientMode::separate;
  policy.step = mode;
  auto plan = build_plan(planned_input(network), policy);
  EXPECT_TRUE(plan.has_value());
  EXPECT_TRUE(prove(*plan)->race_free());
  return std::move(*plan);
}

const Region& region_of(const ExecutionPlan& plan, const Race& race) {
  return plan.memory.region(race.bytes.region);
}

/// "WORKSPACE/COMP_1[0, 4096)", as sentences write it.
std::string bytes_of(const ExecutionPlan& plan, const Race& race) {
  return fmt::format("{}[{}, {})", region_of(plan, race).name(), race.bytes.begin, race.bytes.end);
}

/// The sentence names both tasks with their steps, the region and its bytes.
void expect_named(const ExecutionPlan& plan, const Race& race) {
  for (const std::string& part :
       {fmt::format("step {}: {} ", race.earlier_step, plan.task(race.earlier).name),
        fmt::format("step {}: {} ", race.later_step, plan.task(race.later).name),
        bytes_of(plan, race)})
    EXPECT_THAT(race.text, testing::HasSubstr(part));
  EXPECT_FALSE(race.bytes.empty());
}

/// Adds the edge between two tasks of a graph that the race's cure asks for, wherever both are.
void cure(ExecutionPlan& plan, const Race& race) {
  for (auto& [key, graph] : plan.graphs) {
    const auto has = [&tasks = graph.tasks](TaskId task) {
      return std::any_of(tasks.begin(), tasks.end(),
                         [&](const PlacedTask& placed) { return placed.task == task; });
    };
    if (has(race.earlier) && has(race.later))
      graph.edges.push_back({race.earlier, race.later, EdgeRule::manual, "the cure"});
  }
}

TEST(PlantedHazards, AWorkspaceSharedByTwoStreamsIsNamed) {
  ExecutionPlan plan = sound_plan("lenet5", StepMode::host_sync);
  const RegionId shared = plan.memory.workspace(StreamKind::COMP_1).id;
  const RegionId own = plan.memory.workspace(StreamKind::COMP_3).id;
  ASSERT_GT(plan.memory.region(own).bytes, 0U);
  for (std::vector<Access>& accesses : plan.accesses) {
    for (Access& access : accesses) {
      if (access.region == own) access.region = shared;
    }
  }
  const auto proof = prove(plan);
  ASSERT_TRUE(proof.has_value());
  ASSERT_FALSE(proof->race_free());
  for (const Race& race : proof->races) {
    EXPECT_EQ(region_of(plan, race).name(), "WORKSPACE/COMP_1");
    EXPECT_THAT(race.text, testing::HasSubstr("uses as scratch"));
    expect_named(plan, race);
    EXPECT_EQ(race.cure, fmt::format("let {} (COMP_3) wait for {} (COMP_1)",
                                     plan.task(race.later).name, plan.task(race.earlier).name));
    cure(plan, race);
  }
  const auto cured = prove(plan);
  ASSERT_TRUE(cured.has_value());
  EXPECT_TRUE(cured->race_free()) << cured->races.front().text;
}

TEST(PlantedHazards, ABatchSwappedTooEarlyIsNamed) {
  for (const StepMode mode : {StepMode::event_sync, StepMode::whole_step}) {
    ExecutionPlan plan = sound_plan("lenet5", mode);
    // The loader fills the pinned batch of the step after next before its copy has left it.
    for (auto& [variant, program] : plan.programs) {
      std::erase_if(program.commands, [](const Command& command) {
        return command.kind == CommandKind::host_wait &&
               command.event.event == StepEvent::batch_copied;
      });
    }
    const auto proof = prove(plan);
    ASSERT_TRUE(proof.has_value());
    ASSERT_FALSE(proof->race_free());
    for (const Race& race : proof->races) {
      const RegionKind kind = region_of(plan, race).kind;
      EXPECT_TRUE(kind == RegionKind::HOST_BATCH_A || kind == RegionKind::HOST_BATCH_B)
          << race.text;
      EXPECT_EQ((race.later_step - race.earlier_step) % 2, 0) << "slots alternate: " << race.text;
      EXPECT_THAT(plan.task(race.later).name, testing::HasSubstr("HOST_FILL_BATCH"));
      expect_named(plan, race);
      EXPECT_THAT(race.cure, testing::HasSubstr("let HOST_LOADER wait, before HOST_FILL_"));
      // In a whole step the copy is part of one launch; the first batch is copied before any step.
      EXPECT_THAT(race.cure,
                  testing::AnyOf(testing::HasSubstr("recorded on TRANS after launch TRANSFER_"),
                                 testing::HasSubstr("recorded on COMP_1 after launch WHOLE_")));
    }
  }
}

TEST(PlantedHazards, ADeviceBatchOverwrittenBeforeItsStepHasReadItIsNamed) {
  ExecutionPlan plan = sound_plan("lenet5", StepMode::event_sync);
  for (auto& [variant, program] : plan.programs) {
    std::erase_if(program.commands, [](const Command& command) {
      return command.kind == CommandKind::wait && command.stream == StreamKind::TRANS &&
             command.event.event == StepEvent::batch_released;
    });
  }
  const auto proof = prove(plan);
  ASSERT_TRUE(proof.has_value());
  ASSERT_FALSE(proof->race_free());
  for (const Race& race : proof->races) {
    const RegionKind kind = region_of(plan, race).kind;
    EXPECT_TRUE(kind == RegionKind::BATCH_A || kind == RegionKind::BATCH_B) << race.text;
    EXPECT_EQ((race.later_step - race.earlier_step) % 2, 0) << "slots alternate: " << race.text;
    EXPECT_THAT(plan.task(race.later).name, testing::HasSubstr("H2D_COPY"));
    expect_named(plan, race);
    EXPECT_THAT(race.cure, testing::HasSubstr("let TRANS wait, before launch TRANSFER_"));
    EXPECT_THAT(race.cure, testing::HasSubstr("for an event that is recorded on COMP_1 after"));
  }
}

TEST(PlantedHazards, ADropoutMaskWhoseBytesAreUsedAgainTooEarlyIsNamed) {
  const ExecutionPlan plan = sound_plan("vgg16-twin", StepMode::whole_step);
  // Every task in turn puts a write of its own onto the mask of the dropout; where no wait keeps it
  // from the task that still reads the mask, the proof must say so.
  const auto whole = std::find_if(plan.graphs.begin(), plan.graphs.end(), [&](const auto& graph) {
    return graph.first.graph == GraphId::WHOLE_STEP_A &&
           plan.shape(graph.first.shape).name == "train" &&
           plan.shape(graph.first.next_shape).name == "train";
  });
  ASSERT_NE(whole, plan.graphs.end());
  const Task* reader = nullptr;
  for (const PlacedTask& placed : whole->second.tasks) {
    if (plan.task(placed.task).kind == OpKind(ComputeOp::DROPOUT_FP32_BWD)) {
      reader = &plan.task(placed.task);
    }
  }
  ASSERT_NE(reader, nullptr) << "no dropout";
  const auto mask =
      std::find_if(reader->operands.begin(), reader->operands.end(), [&](const Operand& operand) {
        const auto* tensor = std::get_if<TensorId>(&operand.target);
        return tensor != nullptr && plan.tensors[*tensor].role == TensorRole::saved;
      });
  ASSERT_NE(mask, reader->operands.end());
  Access reuse =
      plan.accesses[reader->id.value()][static_cast<std::size_t>(mask - reader->operands.begin())];
  reuse.mode = AccessMode::write;
  std::size_t named = 0;
  for (const PlacedTask& placed : whole->second.tasks) {
    if (placed.task <= reader->id || plan.task(placed.task).shape != reader->shape) continue;
    ExecutionPlan planted = plan;
    planted.accesses[placed.task.value()].push_back(reuse);
    const auto proof = prove(planted);
    ASSERT_TRUE(proof.has_value());
    for (const Race& race : proof->races) {
      if (race.earlier != reader->id || race.later != placed.task) continue;
      EXPECT_EQ(region_of(planted, race).kind, RegionKind::FEATURES);
      EXPECT_EQ(race.bytes.begin, reuse.offset);
      expect_named(planted, race);
      EXPECT_THAT(race.cure,
                  testing::StartsWith(fmt::format("let {} (", plan.task(placed.task).name)));
      EXPECT_THAT(race.cure, testing::HasSubstr(fmt::format("wait for {} (", reader->name)));
      ExecutionPlan cured = planted;
      cure(cured, race);
      const auto again = prove(cured);
      ASSERT_TRUE(again.has_value());
      EXPECT_TRUE(std::none_of(again->races.begin(), again->races.end(), [&](const Race& left) {
        return left.earlier == race.earlier && left.later == race.later &&
               left.later_step - left.earlier_step == race.later_step - race.earlier_step;
      })) << race.cure;
      ++named;
    }
  }
  EXPECT_GT(named, 0U) << "no task runs beside the one that reads the mask";
}

/// What taking out edges did: told by the proof, or nothing that conflicts was ordered by them.
struct Deletions {
  std::size_t caught = 0;
  std::size_t surplus = 0;
};

std::set<GraphKey> launched_graphs(const ExecutionPlan& plan) {
  std::set<GraphKey> launched;
  for (const StepVariant& variant : proof_sequence(plan)) {
    for (const Command& command : plan.programs.at(variant).commands) {
      if (command.kind == CommandKind::launch) launched.insert(command.graph);
    }
  }
  return launched;
}

/// Every edge of every graph that the proof's steps launch taken out in turn.
void delete_each_edge(ExecutionPlan plan, Deletions& count) {
  const auto whole = prove(plan);
  ASSERT_TRUE(whole.has_value());
  ASSERT_TRUE(whole->race_free());
  for (const GraphKey& key : launched_graphs(plan)) {
    TaskGraph& graph = plan.graphs.at(key);
    const std::vector<Edge> edges = graph.edges;
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      graph.edges = edges;
      graph.edges.erase(graph.edges.begin() + static_cast<std::ptrdiff_t>(edge));
      const auto cut = prove(plan);
      ASSERT_TRUE(cut.has_value());
      const bool surplus = std::any_of(
          whole->surplus.begin(), whole->surplus.end(), [&](const SurplusEdge& candidate) {
            return candidate.graph == key && candidate.from == edges[edge].from &&
                   candidate.to == edges[edge].to;
          });
      ASSERT_EQ(cut->race_free(), surplus)
          << plan.task(edges[edge].from).name << " -> " << plan.task(edges[edge].to).name;
      ++(surplus ? count.surplus : count.caught);
    }
    graph.edges = edges;
  }
}

struct SmallNetworks : testing::TestWithParam<const char*> {};

TEST_P(SmallNetworks, MissNoEdgeThatIsTakenOutAndNameThoseThatOrderNothing) {
  const PlanInput input = planned_input(GetParam());
  std::size_t policy_index = 0;
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    StreamPolicy policy = *find_policy(std::string(builtin.name));
    Deletions count;
    std::size_t variant = policy_index++;
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      for (const StepMode mode : {StepMode::host_sync, StepMode::whole_step}) {
        // Under AddressSanitizer one of the four for each policy, and not the same for all.
        if (kAddressSanitizer && ++variant % 4 != 0) continue;
        policy.gradients = gradients;
        policy.step = mode;
        auto plan = build_plan(input, policy);
        ASSERT_TRUE(plan.has_value());
        delete_each_edge(std::move(*plan), count);
        if (HasFatalFailure()) return;
      }
    }
    std::printf("%s, %s: %zu caught, %zu order nothing\n", GetParam(), policy.name.c_str(),
                count.caught, count.surplus);
    EXPECT_EQ(count.caught == 0, policy.name == "serial");
    if (policy.sync == SyncRule::dataflow) {
      EXPECT_EQ(count.surplus, 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, SmallNetworks,
                         testing::Values("mlp", "lenet5", "vgg16-twin", "vgg16-bn-twin",
                                         "resnet18-twin", "resnet50-twin"),
                         [](const auto& network) {
                           std::string name = network.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace quintet::test

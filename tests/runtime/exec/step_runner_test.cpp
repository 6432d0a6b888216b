// What the runner promises to those who watch and to those who stop it.
#include "runtime/exec/step_runner.h"

#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// Keeps everything it is told.
class Collector final : public Observer {
 public:
  void on_task(const TaskRun& run) override {
    const std::lock_guard lock(mutex_);
    tasks.push_back(run);
  }
  void on_step(const StepRun& run) override { steps.push_back(run); }
  void on_launch(const LaunchRun& run) override { launches.push_back(run); }
  void on_end() override { ++ends; }

  std::vector<TaskRun> tasks;
  std::vector<StepRun> steps;
  std::vector<LaunchRun> launches;
  int ends = 0;

 private:
  std::mutex mutex_;
};

class StepRunnerInEveryMode : public testing::TestWithParam<StepMode> {
 protected:
  StepRunnerInEveryMode() : session_(prepare_tiny({.train_steps = 20}, policy_in_mode())) {}
  static StreamPolicy policy_in_mode() {
    return policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::separate,
                       GetParam());
  }
  std::unique_ptr<TrainingSession> session_;
};

TEST_P(StepRunnerInEveryMode, EndsEachStepOnceInOrderWithItsResults) {
  Collector seen;
  const TrainingResult result = session_->run(&seen, {});
  ASSERT_EQ(seen.steps.size(), session_->schedule().size());
  for (std::size_t step = 0; step < seen.steps.size(); ++step) {
    const StepRun& run = seen.steps[step];
    EXPECT_EQ(run.step, static_cast<std::int64_t>(step));
    EXPECT_GT(run.loss.value(), 0.0);
    EXPECT_LT(run.begin_ns, run.end_ns);
    EXPECT_EQ(run.batch, session_->schedule()[step].batch);
  }
  EXPECT_EQ(seen.ends, 1);
  EXPECT_EQ(result.losses.size(), 20U);
  EXPECT_TRUE(result.test_accuracy.has_value());
}

TEST_P(StepRunnerInEveryMode, ReportsEveryTaskOfAStepOnce) {
  Collector seen;
  session_->run(&seen, {});
  std::map<std::pair<std::int64_t, std::uint32_t>, int> count;
  for (const TaskRun& run : seen.tasks) {
    EXPECT_LE(run.begin_ns, run.end_ns);
    EXPECT_GE(run.cpu_ns, 0);
    ++count[{run.step, run.task.value()}];
  }
  for (const auto& [key, runs] : count)
    EXPECT_EQ(runs, 1);
  const auto runs_of = [&](GraphId graph) {
    std::set<std::int64_t> steps;
    for (const TaskRun& run : seen.tasks) {
      if (session_->plan().task(run.task).graph == graph) steps.insert(run.step);
    }
    return steps.size();
  };
  const std::size_t steps = session_->schedule().size();
  EXPECT_EQ(runs_of(GraphId::TRANSFER_A) + runs_of(GraphId::TRANSFER_B), steps);
  EXPECT_EQ(runs_of(GraphId::HOST_FILL_A) + runs_of(GraphId::HOST_FILL_B), steps);
  EXPECT_EQ(runs_of(GraphId::HOST_RESULTS_A) + runs_of(GraphId::HOST_RESULTS_B), steps);
  EXPECT_EQ(runs_of(GraphId::DEEP_FWD_BWD), 20U);
  EXPECT_EQ(runs_of(GraphId::OPTIMIZER), 20U);
}

TEST_P(StepRunnerInEveryMode, RunsConflictingTasksInProgramOrder) {
  Collector seen;
  session_->run(&seen, {});
  const ExecutionPlan& plan = session_->plan();
  const auto conflicting = [&](TaskId a, TaskId b) {
    for (const Access& x : plan.accesses[a.value()]) {
      for (const Access& y : plan.accesses[b.value()]) {
        const bool scratch = x.mode == AccessMode::scratch && y.mode == AccessMode::scratch;
        if (!scratch && conflict(x, y)) return true;
      }
    }
    return false;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known;
  int pairs = 0;
  for (const TaskRun& a : seen.tasks) {
    for (const TaskRun& b : seen.tasks) {
      if (b.step - a.step > 2 || std::pair(a.step, a.task) >= std::pair(b.step, b.task)) continue;
      const std::pair key(a.task.value(), b.task.value());
      if (!known.count(key)) known[key] = conflicting(a.task, b.task);
      if (!known[key]) continue;
      ++pairs;
      ASSERT_LE(a.end_ns, b.begin_ns) << plan.task(a.task).name << " of step " << a.step << ", "
                                      << plan.task(b.task).name << " of step " << b.step;
    }
  }
  EXPECT_GT(pairs, 1000);
}

TEST_P(StepRunnerInEveryMode, StopsWhereTheCallerSaysSo) {
  std::int64_t last = -1;
  const TrainingResult result = session_->run(nullptr, [&](const StepRun& run) {
    last = run.step;
    return run.step < 4;
  });
  EXPECT_GE(result.steps, 5);
  EXPECT_LE(result.steps, 7) << "at most the run-ahead of two steps more";
  EXPECT_EQ(result.steps, last + 1);
  EXPECT_FALSE(result.test_accuracy.has_value());
}

TEST_P(StepRunnerInEveryMode, PassesOnWhatATaskThrowsAndDoesNotHang) {
  for (const char* victim : {"conv2/CONV_FP32_BWD/dW", "batch/HOST_FILL_BATCH/host",
                             "images/H2D_COPY/copy", "results/HOST_READ_RESULTS/host"}) {
    SCOPED_TRACE(victim);
    const TaskHook hook = [&](const Task& task, std::int64_t step) {
      if (step == 3 && task.name == victim) throw std::runtime_error("planted");
    };
    const auto session =
        prepare_tiny({.train_steps = 20}, policy_in_mode(), std::make_shared<HostBackend>(hook));
    EXPECT_THROW(session->run(nullptr, {}), std::runtime_error);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, StepRunnerInEveryMode,
                         testing::Values(StepMode::host_sync, StepMode::event_sync,
                                         StepMode::whole_step),
                         [](const auto& mode) { return std::string(name_of(mode.param)); });

TEST(StepModes, AreThreeDifferentPrograms) {
  std::set<std::size_t> sizes;
  std::map<StepMode, std::size_t> launches;
  for (const StepMode mode : {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
    const auto session = prepare_tiny(
        {}, policy_with("renaissance", SyncRule::adjacent_conflicts, GradientMode::in_place, mode));
    const StepProgram& program = session->plan().programs.at(session->schedule()[1].variant);
    int host_syncs = 0;
    int waits = 0;
    for (const Command& command : program.commands) {
      launches[mode] += command.kind == CommandKind::launch ? 1 : 0;
      host_syncs += command.kind == CommandKind::host_sync ? 1 : 0;
      waits += command.kind == CommandKind::wait ? 1 : 0;
    }
    // FP32 on one rank: the article's stream synchronisations, its AMP cast's excepted.
    EXPECT_EQ(host_syncs > 0, mode == StepMode::host_sync);
    EXPECT_EQ(waits > 3, mode == StepMode::event_sync);
    // Communication, casts, checks, LARS and EMA have no work here: noted as empty, not dropped.
    EXPECT_EQ(program.empty_graphs.size(), 11U);
  }
  EXPECT_EQ(launches[StepMode::whole_step], 1U);
  EXPECT_EQ(launches[StepMode::host_sync], launches[StepMode::event_sync]);
}

}  // namespace
}  // namespace quintet::test

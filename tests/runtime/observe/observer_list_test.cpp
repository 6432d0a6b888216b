#include "runtime/observe/observer_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace quintet {
namespace {

/// Notes which function was called, behind its own name.
class Noting final : public Observer {
 public:
  Noting(std::string name, std::vector<std::string>& notes)
      : name_(std::move(name)), notes_(notes) {}
  void on_plan(const ExecutionPlan&) override { note("plan"); }
  void on_enqueue(TaskId, StreamKind) override { note("enqueue"); }
  void on_enqueued(TaskId, StreamKind) override { note("enqueued"); }
  void on_captured(const GraphKey&, std::span<const CapturedNode>) override { note("captured"); }
  void on_task_begin(TaskId, std::int64_t) override { note("task_begin"); }
  void on_task(const TaskRun&) override { note("task"); }
  void on_step_begin(std::int64_t) override { note("step_begin"); }
  void on_launch_begin(const GraphKey&, StreamKind, std::int64_t) override { note("launch_begin"); }
  void on_launch(const LaunchRun&) override { note("launch"); }
  void on_host_wait_begin(HostActor, CommandKind, std::int64_t) override { note("wait_begin"); }
  void on_host_wait(const HostWaitRun&) override { note("wait"); }
  void on_step(const StepRun&) override { note("step"); }
  void on_end() override { note("end"); }

 private:
  void note(const std::string& what) { notes_.push_back(name_ + " " + what); }
  std::string name_;
  std::vector<std::string>& notes_;
};

TEST(ObserverList, TellsEachOfEverythingInOrder) {
  std::vector<std::string> notes;
  Noting first("1", notes);
  Noting second("2", notes);
  ObserverList list;
  list.add(first);
  list.add(second);
  list.on_plan({});
  list.on_enqueue(TaskId(0), StreamKind::COMP_1);
  list.on_enqueued(TaskId(0), StreamKind::COMP_1);
  list.on_captured({}, {});
  list.on_task_begin(TaskId(0), 0);
  list.on_task({});
  list.on_step_begin(0);
  list.on_launch_begin({}, StreamKind::COMP_1, 0);
  list.on_launch({});
  list.on_host_wait_begin(HostActor::MAIN, CommandKind::host_sync, 0);
  list.on_host_wait({});
  list.on_step({});
  list.on_end();
  std::vector<std::string> expected;
  for (const char* what :
       {"plan", "enqueue", "enqueued", "captured", "task_begin", "task", "step_begin",
        "launch_begin", "launch", "wait_begin", "wait", "step", "end"}) {
    expected.push_back(std::string("1 ") + what);
    expected.push_back(std::string("2 ") + what);
  }
  EXPECT_EQ(notes, expected);
}

TEST(ObserverList, OfNobodyIsSilent) {
  ObserverList list;
  list.on_step_begin(0);
  list.on_end();
}

}  // namespace
}  // namespace quintet

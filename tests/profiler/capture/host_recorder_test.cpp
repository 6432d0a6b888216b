#include "profiler/capture/host_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_reader.h"
#include "tests/profiler/capture/recorder_plan.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kStepNs = 1'000'000;

TaskRun task_run(std::uint32_t task, LaneId lane, std::int64_t step) {
  const std::int64_t begin = 1000 + step * kStepNs + lane.value() * 10;
  return {TaskId(task), step, lane, lane, begin, begin + 500, 400};
}

StepRun step_run(std::int64_t step) {
  StepRun run;
  run.step = step;
  run.variant = {StepPhase::train, step % 2 == 0 ? BufferSlot::A : BufferSlot::B, ShapeId(1),
                 ShapeId(1)};
  run.batch = 8;
  run.begin_ns = 1000 + step * kStepNs;
  run.end_ns = run.begin_ns + 900;
  run.loss = 2.0 - static_cast<double>(step) / 1000;
  run.correct = 3;
  run.learning_rate = 0.1;
  return run;
}

/// What the executor tells of one step: three tasks, a launch, a wait, the step itself.
void run_step(Observer& observer, std::int64_t step) {
  observer.on_task(task_run(2, lane_of(HostActor::LOADER), step));
  observer.on_launch(
      {kDeep, StreamKind::COMP_1, step, 1000 + step * kStepNs, 1020 + step * kStepNs});
  observer.on_task(task_run(0, lane_of(StreamKind::COMP_1), step));
  observer.on_task(task_run(1, lane_of(StreamKind::COMP_3), step));
  observer.on_host_wait({HostActor::MAIN, step, CommandKind::host_sync, StreamKind::COMP_1,
                         StepEvent::step_done, 1030 + step * kStepNs, 1900 + step * kStepNs});
  observer.on_step(step_run(step));
}

class HostRecorderTest : public testing::Test {
 protected:
  std::unique_ptr<TraceWriter> writer() {
    auto writer = TraceWriter::create(path_);
    EXPECT_TRUE(writer) << to_string(writer.error());
    return std::move(*writer);
  }

  const test::PlanSketch sketch_ = recorder_plan();
  const TemporaryFolder folder_;
  const std::string path_ = folder_.file("run.qtrace");
};

TEST_F(HostRecorderTest, WritesTheSameTraceToFileAndMemory) {
  HostRecorder recorder(
      writer(), {.provenance = {{"scenario", "sketch"}}, .keep_trace = true, .flush_steps = 3});
  recorder.on_plan(sketch_.plan);
  for (std::int64_t step = 0; step < 20; ++step)
    run_step(recorder, step);
  recorder.on_end();
  recorder.set_provenance("weights_hash", "abc");
  recorder.add_finding({Severity::notice, "legacy_stream", "none", 1});
  ASSERT_TRUE(recorder.finish());
  const Result<Trace> file = read_trace(path_);
  ASSERT_TRUE(file) << to_string(file.error());
  const Trace memory = recorder.take_trace();
  EXPECT_EQ(describe(*file), describe(memory));
  EXPECT_EQ(file->state, RecordingState::complete);
  EXPECT_THAT(file->steps, SizeIs(20));
  EXPECT_EQ(file->spans.size(), 60U);
  EXPECT_THAT(file->host_waits, SizeIs(20));
  EXPECT_THAT(file->launches, SizeIs(20));
  EXPECT_EQ(file->provenance.at("scenario"), "sketch");
  EXPECT_EQ(file->provenance.at("policy"), "sketch");
  EXPECT_EQ(file->provenance.at("weights_hash"), "abc");
  EXPECT_EQ(file->provenance.at("dropped_spans"), "0");
  EXPECT_THAT(file->findings, SizeIs(1));
  EXPECT_EQ(folder_.listing(), "run.qtrace");
}

/// Puts together what it is told, and compares it with the file each time.
class Witness final : public TraceListener {
 public:
  explicit Witness(std::string path) : path_(std::move(path)) {}
  void on_plan(const Trace& plan) override {
    trace = plan;
    trace.state = RecordingState::growing;
  }
  void on_batch(TraceBatch batch) override {
    append(trace, std::move(batch));
    EXPECT_EQ(describe(trace), describe(read_trace(path_).value())) << "the file first";
  }
  Trace trace;

 private:
  std::string path_;
};

TEST_F(HostRecorderTest, TellsItsListenerWhatIsInTheFile) {
  Witness witness(path_);
  HostRecorder recorder(writer(), {.flush_steps = 3, .listener = &witness});
  ASSERT_TRUE(recorder.start(sketch_.plan));
  for (std::int64_t step = 0; step < 20; ++step)
    run_step(recorder, step);
  recorder.on_end();
  EXPECT_THAT(witness.trace.steps, SizeIs(20));
  ASSERT_TRUE(recorder.finish());
}

TEST_F(HostRecorderTest, NamesWhatAWaitWaitedForAndWhatAStepWas) {
  HostRecorder recorder(nullptr, {.keep_trace = true});
  recorder.on_plan(sketch_.plan);
  run_step(recorder, 1);
  recorder.on_host_wait({HostActor::LOADER, 2, CommandKind::host_wait, StreamKind::COMP_1,
                         StepEvent::batch_copied, 5, 6});
  recorder.on_end();
  const Trace trace = recorder.take_trace();
  ASSERT_THAT(trace.host_waits, SizeIs(2));
  EXPECT_EQ(trace.host_waits[0].kind, "host_sync");
  EXPECT_EQ(trace.host_waits[0].target, "COMP_1");
  EXPECT_EQ(trace.host_waits[1].lane, lane_of(HostActor::LOADER));
  EXPECT_EQ(trace.host_waits[1].target, "batch_copied");
  ASSERT_THAT(trace.steps, SizeIs(1));
  EXPECT_EQ(trace.steps[0].phase, "train");
  EXPECT_EQ(trace.steps[0].shape, "train");
  EXPECT_EQ(trace.steps[0].slot, "B");
  EXPECT_EQ(trace.steps[0].learning_rate, 0.1);
  EXPECT_EQ(trace.graphs[trace.launches[0].graph].name, "DEEP_FWD_BWD");
}

TEST_F(HostRecorderTest, TakesTasksFromAllLanesAtOnce) {
  constexpr std::int64_t kTasks = 20'000;
  // Room for all batches: on a slow machine the writer may lag, and dropping has a test of its own.
  HostRecorder recorder(nullptr,
                        {.keep_trace = true, .flush_steps = 1, .most_queued_batches = 1000});
  recorder.on_plan(sketch_.plan);
  std::vector<std::thread> lanes;
  for (std::uint32_t lane = 0; lane < 7; ++lane) {
    lanes.emplace_back([&recorder, lane] {
      for (std::int64_t i = 0; i < kTasks; ++i)
        recorder.on_task(task_run(lane % 3, LaneId(lane), i));
    });
  }
  for (std::int64_t step = 0; step < 200; ++step)
    recorder.on_step(step_run(step));
  for (std::thread& lane : lanes)
    lane.join();
  recorder.on_end();
  EXPECT_THAT(recorder.findings(), IsEmpty());
  const Trace trace = recorder.take_trace();
  EXPECT_EQ(trace.spans.size(), 7U * kTasks);
  EXPECT_TRUE(spans_sorted(trace.spans));
  EXPECT_THAT(trace.steps, SizeIs(200));
}

TEST_F(HostRecorderTest, DropsWholeBatchesWithACountButNoStepWhereTheDiskIsTooSlow) {
  HostRecorder recorder(writer(), {.flush_steps = 1, .most_queued_batches = 0});
  recorder.on_plan(sketch_.plan);
  for (std::int64_t step = 0; step < 10; ++step)
    run_step(recorder, step);
  // What comes after the last step is flushed by on_end, which does wait.
  recorder.on_task(task_run(0, lane_of(StreamKind::COMP_1), 10));
  recorder.on_end();
  ASSERT_TRUE(recorder.finish());
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->spans.size(), 1U);
  EXPECT_THAT(trace->steps, SizeIs(10));
  ASSERT_THAT(trace->findings, SizeIs(1));
  EXPECT_EQ(trace->findings[0].name, "dropped_spans");
  EXPECT_EQ(trace->findings[0].count, 30);
  EXPECT_EQ(trace->provenance.at("dropped_spans"), "30");
}

TEST_F(HostRecorderTest, StoresALossThatIsNoNumberAsNoneAndSaysSo) {
  HostRecorder recorder(writer(), {});
  recorder.on_plan(sketch_.plan);
  for (std::int64_t step = 0; step < 6; ++step) {
    StepRun run = step_run(step);
    if (step == 3) run.loss = std::numeric_limits<double>::quiet_NaN();
    if (step == 5) run.loss = -std::numeric_limits<double>::infinity();
    recorder.on_step(run);
  }
  recorder.on_end();
  ASSERT_TRUE(recorder.finish());
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->steps[2].loss);
  EXPECT_FALSE(trace->steps[3].loss);
  EXPECT_TRUE(trace->steps[4].loss);
  EXPECT_FALSE(trace->steps[5].loss);
  ASSERT_THAT(trace->findings, SizeIs(1));
  EXPECT_EQ(trace->findings[0].name, "non_finite_loss");
  EXPECT_EQ(trace->findings[0].count, 2);
  EXPECT_NE(trace->findings[0].message.find("first at step 3"), std::string::npos);
}

TEST_F(HostRecorderTest, RecordsOnlyStepsWhileItIsOff) {
  HostRecorder recorder(nullptr, {.mode = RecordMode::off, .keep_trace = true});
  recorder.on_plan(sketch_.plan);
  run_step(recorder, 0);
  recorder.set_mode(RecordMode::all);
  run_step(recorder, 1);
  recorder.set_mode(RecordMode::off);
  run_step(recorder, 2);
  recorder.on_end();
  const Trace trace = recorder.take_trace();
  EXPECT_THAT(trace.steps, SizeIs(3));
  EXPECT_EQ(trace.spans.size(), 3U);
  EXPECT_THAT(trace.launches, SizeIs(1));
  EXPECT_EQ(trace.host_waits.at(0).step, 1);
}

TEST_F(HostRecorderTest, LeavesAnAbandonedFileWhereNobodyFinishesIt) {
  {
    HostRecorder recorder(writer(), {});
    recorder.on_plan(sketch_.plan);
    run_step(recorder, 0);
  }
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->state, RecordingState::abandoned);
  EXPECT_THAT(trace->steps, SizeIs(1));
}

TEST_F(HostRecorderTest, TellsBeforeTheRunThatThePlanDoesNotFitOnTheDisk) {
  HostRecorder recorder(writer(), {});
  Result<void> started;
  {
    const FileSizeLimit full(10'000);
    started = recorder.start(sketch_.plan);
  }
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().file, path_);
  EXPECT_EQ(folder_.listing(), "");
  // A run that goes on all the same is not disturbed.
  recorder.on_plan(sketch_.plan);
  run_step(recorder, 0);
  recorder.on_end();
  EXPECT_FALSE(recorder.finish());
  EXPECT_EQ(recorder.findings().at(0).name, "recording_stopped");
}

TEST_F(HostRecorderTest, LetsTheRunGoOnWhereTheDiskFillsUp) {
  HostRecorder recorder(writer(), {.flush_steps = 1, .most_queued_batches = 100'000});
  ASSERT_TRUE(recorder.start(sketch_.plan));
  {
    const FileSizeLimit full(400'000);
    for (std::int64_t step = 0; step < 300; ++step)
      run_step(recorder, step);
    recorder.on_end();
  }
  const Result<void> finished = recorder.finish();
  ASSERT_FALSE(finished);
  EXPECT_NE(finished.error().message.find("no space left"), std::string::npos);
  const std::vector<Finding> findings = recorder.findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].name, "recording_stopped");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->state, RecordingState::abandoned);
  EXPECT_EQ(static_cast<std::int64_t>(trace->spans.size()) + findings[0].count, 900);
  EXPECT_EQ(trace->spans.size(), 3 * trace->steps.size());
}

}  // namespace
}  // namespace quintet

// The C interface on a device that a test plays: what it records, and that every misuse is an error with
// a text and never a crash.
#include "profiler/capture/quintet_recorder.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "profiler/capture/recorder_handle.h"
#include "profiler/trace/trace_reader.h"
#include "tests/profiler/capture/fake_device.h"
#include "tests/profiler/capture/recorder_in_c.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kCaptured = std::uint64_t{1} << 32;
constexpr std::uint64_t kExecutable = std::uint64_t{2} << 32;

/// A recorder of mode node with a stream lane 0, a host lane 1, tasks 0 and 1, a graph 0.
class Recorder : public testing::Test {
 protected:
  Recorder() { open(QUINTET_NODE); }
  ~Recorder() override { quintet_recorder_close(recorder_); }

  void open(quintet_mode mode) {
    quintet_recorder_close(std::exchange(recorder_, nullptr));
    script_ = {};
    quintet_options options{};
    options.size = sizeof options;
    options.mode = mode;
    options.first_step = 1;
    options.window_steps = 2;
    ASSERT_EQ(open_recorder(QUINTET_RECORDER_VERSION, path().c_str(), &options, open_fake(script_),
                            {{"gpu", "one of a test"}}, &recorder_),
              QUINTET_OK);
  }
  void declare() {
    std::uint32_t id = 0;
    const quintet_lane left{sizeof left, "left", QUINTET_LANE_STREAM, 0, 0, 0};
    const quintet_lane main{sizeof main, "main", QUINTET_LANE_HOST, 0, 0, 0};
    ok(quintet_add_lane(recorder_, &left, &id));
    ok(quintet_add_lane(recorder_, &main, &id));
    const quintet_region region{sizeof region, "x", QUINTET_DEVICE, 0, 4096};
    ok(quintet_add_region(recorder_, &region, &id));
    for (const char* name : {"scale", "copy"}) {
      const quintet_task task = task_named(name);
      ok(quintet_add_task(recorder_, &task, &id));
    }
    ok(quintet_add_graph(recorder_, "step", 0, &id));
  }
  void start() {
    declare();
    ok(quintet_recorder_start(recorder_));
  }
  static quintet_task task_named(const char* name) {
    quintet_task task{};
    task.size = sizeof task;
    task.name = name;
    task.lane = 0;
    return task;
  }
  void ok(quintet_status status) const {
    EXPECT_EQ(status, QUINTET_OK) << quintet_recorder_error(recorder_);
  }
  /// The call was refused so, with this in the text.
  void refused(quintet_status got, quintet_status status, const char* text) const {
    EXPECT_EQ(got, status);
    EXPECT_THAT(quintet_recorder_error(recorder_), HasSubstr(text));
  }
  Trace finished() {
    ok(quintet_recorder_finish(recorder_));
    Result<Trace> trace = read_trace(path());
    EXPECT_TRUE(trace) << to_string(trace.error());
    return trace ? std::move(*trace) : Trace{};
  }
  quintet_counts counts() {
    quintet_counts counts{};
    counts.size = sizeof counts;
    ok(quintet_recorder_counts(recorder_, &counts));
    return counts;
  }
  std::string path() const { return folder_.file("program.qtrace"); }
  DeviceListener& driver() { return *script_.listener; }
  void tell(const std::vector<DeviceRecord>& records) { driver().recorded(records); }

  TemporaryFolder folder_;
  DeviceScript script_;
  quintet_recorder* recorder_ = nullptr;
};

TEST_F(Recorder, IsUsableFromC) {
  EXPECT_EQ(record_in_c(recorder_), 0) << quintet_recorder_error(recorder_);
  const Result<Trace> trace = read_trace(path());
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->state, RecordingState::complete);
  EXPECT_EQ(trace->provenance.at("gpu"), "one of a test");
  EXPECT_EQ(trace->provenance.at("record_mode"), "node");
  ASSERT_EQ(trace->lanes.size(), 2U);
  EXPECT_EQ(trace->lanes[0].priority, -1);
  ASSERT_EQ(trace->regions.size(), 1U);
  EXPECT_EQ(trace->regions[0].kind, RegionKind::DEVICE_MEMORY);
  ASSERT_EQ(trace->tensors.size(), 1U);
  EXPECT_EQ(trace->tensors[0].name, "x");
  ASSERT_EQ(trace->tasks.size(), 2U);
  EXPECT_EQ(trace->tasks[0].graph, "step");
  ASSERT_EQ(trace->tasks[0].accesses.size(), 1U);
  EXPECT_EQ(trace->tasks[0].accesses[0].end(), 1024U + 2 * 1024 + 512);
  ASSERT_EQ(trace->graphs.size(), 1U);
  EXPECT_THAT(trace->graphs[0].tasks, ElementsAre(0));
  EXPECT_EQ(trace->graphs[0].edges.at(0).reason, "prepared before");
  ASSERT_EQ(trace->steps.size(), 1U);
  EXPECT_EQ(trace->steps[0].step, 5);
  EXPECT_EQ(trace->steps[0].batch, 8);
  EXPECT_EQ(trace->steps[0].loss, 0.5);
  EXPECT_THAT(trace->spans.task, ElementsAre(1));
  EXPECT_THAT(trace->spans.step, ElementsAre(5));
  EXPECT_EQ(trace->launches.size(), 1U);
}

TEST_F(Recorder, GivesNodesOfACaptureToTheTaskThatMadeThem) {
  declare();
  ok(quintet_graph_begin(recorder_, 0));
  ok(quintet_task_begin(recorder_, 1, QUINTET_NO_ID));
  driver().node_created(kCaptured);
  ok(quintet_task_end(recorder_));
  driver().node_created(kCaptured + 1);  // between tasks: nobody's
  ok(quintet_graph_end(recorder_));
  driver().node_cloned(kCaptured, kExecutable);
  driver().node_cloned(kCaptured + 1, kExecutable + 1);
  ok(quintet_recorder_start(recorder_));
  ok(quintet_step_begin(recorder_, 0));
  ok(quintet_launch_begin(recorder_, 0, 0, 0));
  driver().graph_launched(50);
  ok(quintet_launch_end(recorder_));
  tell({kernel_of(50, kExecutable), kernel_of(50, kExecutable + 1)});
  ok(quintet_step_end(recorder_, 0, nullptr));
  const Trace trace = finished();
  ASSERT_EQ(trace.spans.size(), 2U);
  EXPECT_THAT(trace.spans.step, ElementsAre(0, 0));
  EXPECT_THAT(trace.spans.task, testing::UnorderedElementsAre(1, 2));
  EXPECT_EQ(trace.tasks.at(2).name, "unattributed/saxpy");
  EXPECT_EQ(trace.launches.at(0).correlation, 50U);
  // One source of attribution contradicts nobody.
  EXPECT_THAT(trace.findings, Not(Contains(Field(&Finding::name, "attribution_mismatch"))));
  EXPECT_EQ(counts().device_records, 2);
  EXPECT_EQ(counts().unattributed, 1);
}

TEST_F(Recorder, GivesWorkOutsideGraphsToTheTaskAndTheStep) {
  start();
  ok(quintet_step_begin(recorder_, 7));
  ok(quintet_task_begin(recorder_, 0, QUINTET_NO_ID));
  driver().work_enqueued(60);
  ok(quintet_task_end(recorder_));
  ok(quintet_task_begin(recorder_, 1, 1));
  driver().work_enqueued(61);
  ok(quintet_task_end(recorder_));
  tell({kernel_of(60), kernel_of(61)});
  ok(quintet_step_end(recorder_, 7, nullptr));
  const Trace trace = finished();
  EXPECT_THAT(trace.spans.task, testing::UnorderedElementsAre(0, 1));
  EXPECT_THAT(trace.spans.lane, testing::UnorderedElementsAre(0, 1));
  EXPECT_THAT(trace.spans.step, ElementsAre(7, 7));
  EXPECT_EQ(counts().unattributed, 0);
  EXPECT_THAT(trace.findings, IsEmpty());
}

TEST_F(Recorder, KeepsTheTasksOfThreadsApart) {
  start();
  ok(quintet_step_begin(recorder_, 0));
  ok(quintet_task_begin(recorder_, 0, QUINTET_NO_ID));
  std::thread([&] {
    ok(quintet_task_begin(recorder_, 1, QUINTET_NO_ID));
    driver().work_enqueued(61);
    ok(quintet_task_end(recorder_));
    driver().work_enqueued(62);  // in no task of this thread
  }).join();
  driver().work_enqueued(60);
  ok(quintet_task_end(recorder_));
  tell({kernel_of(60), kernel_of(61), kernel_of(62)});
  ok(quintet_step_end(recorder_, 0, nullptr));
  const Trace trace = finished();
  EXPECT_THAT(trace.spans.task, testing::UnorderedElementsAre(0, 1, 2));
  EXPECT_THAT(trace.spans.step, ElementsAre(0, 0, 0));
  EXPECT_EQ(counts().unattributed, 1);
}

TEST_F(Recorder, NeverGivesWorkBeforeTheStartToARun) {
  declare();
  ok(quintet_task_begin(recorder_, 0, QUINTET_NO_ID));
  driver().work_enqueued(60);
  ok(quintet_task_end(recorder_));
  tell({kernel_of(60)});
  ok(quintet_recorder_start(recorder_));
  EXPECT_EQ(finished().spans.size(), 0U);
}

TEST_F(Recorder, ModeGraphAsksForWholeLaunchesBeforeAnythingIsCaptured) {
  open(QUINTET_GRAPH);
  EXPECT_THAT(script_.calls, ElementsAre("start_graphs"));
  start();
  ok(quintet_step_begin(recorder_, 0));
  ok(quintet_launch_begin(recorder_, 0, 0, 0));
  driver().graph_launched(50);
  ok(quintet_launch_end(recorder_));
  DeviceRecord launch = kernel_of(50);
  launch.kind = ActivityKind::graph;
  tell({launch});
  ok(quintet_step_end(recorder_, 0, nullptr));
  const Trace trace = finished();
  EXPECT_THAT(trace.spans.step, ElementsAre(0));
  EXPECT_EQ(trace.tasks.at(2).name, "launch/step");
  EXPECT_EQ(counts().unattributed, 0);
}

TEST_F(Recorder, ModeSampledTracesAWindowOfSteps) {
  open(QUINTET_SAMPLED);
  start();
  std::vector<bool> tracing;
  for (std::int64_t step = 10; step < 16; ++step) {
    ok(quintet_step_begin(recorder_, step));
    tracing.push_back(script_.tracing);
    ok(quintet_step_end(recorder_, step, nullptr));
  }
  EXPECT_THAT(tracing, ElementsAre(false, true, true, false, false, false));
  const Trace trace = finished();
  EXPECT_EQ(trace.steps.at(1).recording, StepRecording::disturbed);
  EXPECT_EQ(trace.steps.at(2).recording, StepRecording::all);
  EXPECT_EQ(trace.steps.at(5).recording, StepRecording::none);
  EXPECT_EQ(trace.provenance.at("sampled_windows"), "1");
}

TEST_F(Recorder, ModeOffOpensNoDevice) {
  open(QUINTET_OFF);
  EXPECT_EQ(script_.listener, nullptr);
  EXPECT_EQ(record_in_c(recorder_), 0) << quintet_recorder_error(recorder_);
  EXPECT_EQ(counts().findings, 0);
}

TEST_F(Recorder, RecordsTheHostAndSaysWhyNotTheDevice) {
  quintet_recorder_close(std::exchange(recorder_, nullptr));
  const OpenDeviceSource broken = [](DeviceListener&) -> Result<std::unique_ptr<DeviceSource>> {
    return fail("another profiler is attached", "run without it");
  };
  ASSERT_EQ(
      open_recorder(QUINTET_RECORDER_VERSION, path().c_str(), nullptr, broken, {}, &recorder_),
      QUINTET_OK);
  EXPECT_EQ(record_in_c(recorder_), 0) << quintet_recorder_error(recorder_);
  ASSERT_EQ(counts().findings, 1);
  quintet_finding finding{};
  finding.size = sizeof finding;
  ok(quintet_recorder_finding(recorder_, 0, &finding));
  EXPECT_STREQ(finding.severity, "notice");
  EXPECT_STREQ(finding.name, "no_gpu_spans");
  EXPECT_THAT(finding.message, HasSubstr("another profiler is attached"));
}

TEST_F(Recorder, CountsWhatIsOdd) {
  start();
  ok(quintet_graph_begin(recorder_, 0));
  ok(quintet_graph_end(recorder_));
  quintet_step_result result{};
  result.size = sizeof result;
  result.has_loss = 1;
  result.loss = NAN;
  for (std::int64_t step = 0; step < 3; ++step) {
    ok(quintet_step_begin(recorder_, step));
    if (step == 1) driver().driver_called(DriverCall::allocation);
    if (step < 2) ok(quintet_step_end(recorder_, step, &result));
  }
  ok(quintet_task_begin(recorder_, 0, QUINTET_NO_ID));
  driver().work_enqueued(60);
  const Trace trace = finished();
  const auto counted = [](const char* name, std::int64_t count) {
    return AllOf(Field(&Finding::name, name), Field(&Finding::count, count));
  };
  EXPECT_THAT(trace.findings, testing::UnorderedElementsAre(
                                  counted("late_captures", 1), counted("non_finite_loss", 2),
                                  counted("allocation_in_step", 1), counted("unfinished_steps", 1),
                                  counted("no_device_records", 1)));
  EXPECT_EQ(trace.steps.size(), 2U);
  EXPECT_FALSE(trace.steps.at(0).loss);
}

TEST_F(Recorder, LeavesNoFileBeforeTheStartAndAnAbandonedOneWithoutAFinish) {
  declare();
  EXPECT_FALSE(read_trace(path()));
  ok(quintet_recorder_start(recorder_));
  ok(quintet_step_begin(recorder_, 0));
  ok(quintet_step_end(recorder_, 0, nullptr));
  quintet_recorder_close(std::exchange(recorder_, nullptr));
  const Result<Trace> trace = read_trace(path());
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->state, RecordingState::abandoned);
  EXPECT_EQ(trace->steps.size(), 1U);
}

TEST(RecorderOpen, RefusesWhatItCannotOpen) {
  const TemporaryFolder folder;
  DeviceScript script;
  const OpenDeviceSource device = open_fake(script);
  const std::string path = folder.file("program.qtrace");
  const auto refused = [&](std::uint32_t version, const char* file, const quintet_options* options,
                           quintet_status status, const char* text) {
    quintet_recorder* recorder = nullptr;
    EXPECT_EQ(open_recorder(version, file, options, device, {}, &recorder), status);
    ASSERT_NE(recorder, nullptr);
    EXPECT_THAT(quintet_recorder_error(recorder), HasSubstr(text));
    // It is good for nothing else, and says so.
    EXPECT_EQ(quintet_recorder_start(recorder), QUINTET_WRONG_ORDER);
    quintet_recorder_close(recorder);
  };
  refused(QUINTET_RECORDER_VERSION + 1, path.c_str(), nullptr, QUINTET_INVALID_ARGUMENT, "version");
  refused(QUINTET_RECORDER_VERSION, nullptr, nullptr, QUINTET_INVALID_ARGUMENT, "no path");
  refused(QUINTET_RECORDER_VERSION, (folder.path() + "/no/such/folder.qtrace").c_str(), nullptr,
          QUINTET_FILE_TROUBLE, "folder");
  quintet_options options{};
  refused(QUINTET_RECORDER_VERSION, path.c_str(), &options, QUINTET_INVALID_ARGUMENT, "size");
  options.size = sizeof options;
  options.mode = 9;
  refused(QUINTET_RECORDER_VERSION, path.c_str(), &options, QUINTET_INVALID_ARGUMENT, "mode is 9");
  options.mode = QUINTET_NODE;
  options.pairs = 1;
  refused(QUINTET_RECORDER_VERSION, path.c_str(), &options, QUINTET_INVALID_ARGUMENT, "null");
  options.pairs = 0;
  options.period_ns = -1;
  refused(QUINTET_RECORDER_VERSION, path.c_str(), &options, QUINTET_INVALID_ARGUMENT, "negative");
  EXPECT_EQ(open_recorder(QUINTET_RECORDER_VERSION, path.c_str(), nullptr, device, {}, nullptr),
            QUINTET_INVALID_ARGUMENT);
  EXPECT_EQ(folder.listing(), "");
}

TEST_F(Recorder, RefusesNullEverywhere) {
  std::uint32_t id = 0;
  EXPECT_EQ(quintet_add_lane(nullptr, nullptr, &id), QUINTET_INVALID_ARGUMENT);
  EXPECT_EQ(quintet_recorder_start(nullptr), QUINTET_INVALID_ARGUMENT);
  EXPECT_EQ(quintet_task_end(nullptr), QUINTET_INVALID_ARGUMENT);
  EXPECT_EQ(quintet_recorder_finish(nullptr), QUINTET_INVALID_ARGUMENT);
  EXPECT_THAT(quintet_recorder_error(nullptr), HasSubstr("null"));
  quintet_recorder_close(nullptr);
  const auto invalid = QUINTET_INVALID_ARGUMENT;
  refused(quintet_add_lane(recorder_, nullptr, &id), invalid, "quintet_lane is null");
  refused(quintet_add_region(recorder_, nullptr, &id), invalid, "quintet_region is null");
  refused(quintet_add_task(recorder_, nullptr, &id), invalid, "quintet_task is null");
  const quintet_task task = task_named("scale");
  refused(quintet_add_task(recorder_, &task, nullptr), invalid, "place for the id");
  declare();
  refused(quintet_add_access(recorder_, 0, nullptr), invalid, "quintet_access is null");
  refused(quintet_add_graph(recorder_, nullptr, 0, &id), invalid, "no name");
  ok(quintet_add_edge(recorder_, 0, 0, 1, nullptr));
  ok(quintet_recorder_start(recorder_));
  ok(quintet_recorder_finish(recorder_));
  refused(quintet_recorder_counts(recorder_, nullptr), invalid, "quintet_counts is null");
  refused(quintet_recorder_finding(recorder_, 0, nullptr), invalid, "quintet_finding is null");
}

TEST_F(Recorder, RefusesDeclarationsThatMakeNoSense) {
  declare();
  std::uint32_t id = 77;
  const auto invalid = QUINTET_INVALID_ARGUMENT;
  quintet_lane lane{sizeof lane, "left", QUINTET_LANE_STREAM, 0, 0, 0};
  refused(quintet_add_lane(recorder_, &lane, &id), invalid, "two lanes are named \"left\"");
  lane.kind = 2;
  refused(quintet_add_lane(recorder_, &lane, &id), invalid, "kind of lane is 2");
  lane.size = 4;
  refused(quintet_add_lane(recorder_, &lane, &id), invalid, "size 4");
  quintet_region region{sizeof region, "y", QUINTET_DEVICE, 0, 0};
  refused(quintet_add_region(recorder_, &region, &id), invalid, "0 bytes");
  quintet_task task = task_named("scale");
  refused(quintet_add_task(recorder_, &task, &id), invalid, "two tasks");
  task.name = "";
  refused(quintet_add_task(recorder_, &task, &id), invalid, "no name");
  task.name = "other";
  task.flops = NAN;
  refused(quintet_add_task(recorder_, &task, &id), invalid, "no amount");
  task.flops = 0;
  task.lane = 2;
  refused(quintet_add_task(recorder_, &task, &id), QUINTET_UNKNOWN_ID, "no lane 2: 2 are declared");
  refused(quintet_add_graph(recorder_, "g", 9, &id), QUINTET_UNKNOWN_ID, "no lane 9");
  refused(quintet_add_edge(recorder_, 0, 0, 0, ""), invalid, "waits for itself");
  refused(quintet_add_edge(recorder_, 0, 0, 5, ""), QUINTET_UNKNOWN_ID, "no task 5");
  refused(quintet_add_edge(recorder_, 1, 0, 1, ""), QUINTET_UNKNOWN_ID, "no graph 1");
  EXPECT_EQ(id, 77U);
}

TEST_F(Recorder, RefusesAccessesOutsideTheirRegion) {
  declare();
  const auto invalid = QUINTET_INVALID_ARGUMENT;
  quintet_access access{sizeof access, 0, QUINTET_READ, 0, 4096, 0, 1, 0};
  ok(quintet_add_access(recorder_, 0, &access));
  access.offset = 1;
  refused(quintet_add_access(recorder_, 0, &access), invalid, "outside region \"x\" of 4096 bytes");
  access.offset = 0;
  access.count = 3;
  access.stride = UINT64_MAX;
  refused(quintet_add_access(recorder_, 0, &access), invalid, "outside region");
  access.count = 0;
  refused(quintet_add_access(recorder_, 0, &access), invalid, "no byte");
  access = {sizeof access, 1, QUINTET_READ, 0, 64, 0, 1, 0};
  refused(quintet_add_access(recorder_, 0, &access), QUINTET_UNKNOWN_ID, "no region 1");
  refused(quintet_add_access(recorder_, 9, &access), QUINTET_UNKNOWN_ID, "no task 9");
  access.mode = -1;
  refused(quintet_add_access(recorder_, 0, &access), invalid, "access mode is -1");
}

TEST_F(Recorder, RefusesTheWrongOrder) {
  const auto order = QUINTET_WRONG_ORDER;
  declare();
  refused(quintet_step_begin(recorder_, 0), order, "before the recording starts");
  refused(quintet_launch_begin(recorder_, 0, 0, 0), order, "before the recording starts");
  refused(quintet_host_span(recorder_, 0, 0, 0, 1, 2), order, "before the recording starts");
  refused(quintet_recorder_finish(recorder_), order, "before the recording starts");
  quintet_counts counts{};
  counts.size = sizeof counts;
  refused(quintet_recorder_counts(recorder_, &counts), order, "before the recording is finished");
  refused(quintet_task_end(recorder_), order, "none has begun on this thread");
  refused(quintet_graph_end(recorder_), order, "none has begun on this thread");
  ok(quintet_recorder_start(recorder_));
  std::uint32_t id = 0;
  refused(quintet_add_graph(recorder_, "late", 0, &id), order, "after the recording has started");
  refused(quintet_recorder_start(recorder_), order, "after the recording has started");
  refused(quintet_launch_end(recorder_), order, "none has begun on this thread");
  ok(quintet_task_begin(recorder_, 0, QUINTET_NO_ID));
  refused(quintet_task_begin(recorder_, 1, QUINTET_NO_ID), order,
          "\"copy\" begins inside task \"scale\"");
  ok(quintet_graph_begin(recorder_, 0));
  refused(quintet_graph_begin(recorder_, 0), order, "inside another");
  ok(quintet_launch_begin(recorder_, 0, 0, -1));
  refused(quintet_launch_begin(recorder_, 0, 0, -1), order, "inside another");
  ok(quintet_step_begin(recorder_, 3));
  refused(quintet_step_begin(recorder_, 5), order, "step 4 is next");
  ok(quintet_step_begin(recorder_, 4));
  refused(quintet_step_end(recorder_, 4, nullptr), order, "step 3 is next");
  ok(quintet_step_end(recorder_, 3, nullptr));
  ok(quintet_step_end(recorder_, 4, nullptr));
  refused(quintet_step_end(recorder_, 4, nullptr), order, "none is open");
  ok(quintet_recorder_finish(recorder_));
  refused(quintet_step_begin(recorder_, 5), order, "finished");
  refused(quintet_task_begin(recorder_, 0, QUINTET_NO_ID), order, "finished");
  refused(quintet_recorder_finish(recorder_), order, "finished");
}

TEST_F(Recorder, RefusesUnknownIdsAndTimesThatMakeNoSense) {
  start();
  const auto unknown = QUINTET_UNKNOWN_ID;
  const auto invalid = QUINTET_INVALID_ARGUMENT;
  refused(quintet_task_begin(recorder_, 2, QUINTET_NO_ID), unknown, "no task 2");
  refused(quintet_task_begin(recorder_, 0, 2), unknown, "no lane 2");
  refused(quintet_graph_begin(recorder_, 1), unknown, "no graph 1");
  refused(quintet_launch_begin(recorder_, 1, 0, 0), unknown, "no graph 1");
  refused(quintet_launch_begin(recorder_, 0, 3, 0), unknown, "no lane 3");
  refused(quintet_launch_begin(recorder_, 0, 0, -2), invalid, "no step -2");
  refused(quintet_host_span(recorder_, 9, 0, 0, 1, 2), unknown, "no task 9");
  refused(quintet_host_span(recorder_, 0, 9, 0, 1, 2), unknown, "no lane 9");
  refused(quintet_host_span(recorder_, 0, 0, 0, 2, 1), invalid, "lasts from 2 to 1");
  refused(quintet_step_begin(recorder_, -1), invalid, "no step -1");
  ok(quintet_step_begin(recorder_, 0));
  quintet_step_result result{};
  refused(quintet_step_end(recorder_, 0, &result), invalid, "size 0");
  result.size = sizeof result;
  result.end_ns = 1;
  refused(quintet_step_end(recorder_, 0, &result), invalid, "before it begins");
  result.end_ns = 0;
  result.batch = -1;
  refused(quintet_step_end(recorder_, 0, &result), invalid, "-1 samples");
  result.batch = 0;
  result.learning_rate = INFINITY;
  refused(quintet_step_end(recorder_, 0, &result), invalid, "learning rate inf");
  ok(quintet_step_end(recorder_, 0, nullptr));
  ok(quintet_recorder_finish(recorder_));
  quintet_finding finding{};
  finding.size = sizeof finding;
  refused(quintet_recorder_finding(recorder_, 0, &finding), unknown, "no finding 0");
}

}  // namespace
}  // namespace quintet::test

#include "viewer/live/recording_follower.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/viewer/live/client_test.h"

namespace quintet {
namespace {

class Following : public ClientTest {
 protected:
  [[nodiscard]] FollowOptions options() const {
    FollowOptions options;
    options.path = folder_.file("run.qtrace");
    options.interval = std::chrono::milliseconds(5);
    return options;
  }
  [[nodiscard]] std::unique_ptr<TraceWriter> begin() const {
    auto writer = TraceWriter::create(folder_.file("run.qtrace"));
    if (!writer || !(*writer)->write_static(sample_plan())) throw std::runtime_error("no writer");
    return std::move(*writer);
  }
  static bool wait_for_steps(const RecordingFollower& follower, std::size_t steps) {
    return wait_until([&] {
      const LiveSnapshot now = follower.snapshot();
      return now.trace && now.trace->steps.size() == steps;
    });
  }
  static bool wait_for_state(const RecordingFollower& follower, FollowState state) {
    return wait_until([&] { return follower.status().state == state; });
  }

  TemporaryFolder folder_;
};

TEST_F(Following, SeesEachFlushAndTheEnd) {
  const RecordingFollower follower(options());
  EXPECT_EQ(follower.status().state, FollowState::waiting);
  const std::unique_ptr<TraceWriter> writer = begin();
  for (std::int64_t step = 0; step < 20; ++step) {
    ASSERT_TRUE(writer->append_batch(sample_step(step)));
    ASSERT_TRUE(wait_for_steps(follower, static_cast<std::size_t>(step) + 1)) << step;
    Trace expected = sample_trace(step + 1);
    expected.state = RecordingState::growing;
    EXPECT_EQ(describe(*follower.snapshot().trace), describe(expected));
  }
  writer->set_provenance("weights_hash", "00");
  writer->add_finding({Severity::notice, "late", "late", 1});
  ASSERT_TRUE(writer->finish());
  ASSERT_TRUE(wait_for_state(follower, FollowState::ended));
  EXPECT_EQ(describe(*follower.snapshot().trace), describe(*read_trace(options().path)));
  EXPECT_EQ(follower.snapshot().trace->state, RecordingState::complete);
}

TEST_F(Following, LeavesNothingBesideAFinishedRecording) {
  {
    const RecordingFollower follower(options());
    const std::unique_ptr<TraceWriter> writer = begin();
    for (std::int64_t step = 0; step < 200; ++step)
      ASSERT_TRUE(writer->append_batch(sample_step(step)));
    ASSERT_TRUE(writer->finish());
    ASSERT_TRUE(wait_for_state(follower, FollowState::ended));
    EXPECT_EQ(follower.snapshot().trace->steps.size(), 200U);
  }
  EXPECT_EQ(folder_.listing(), "run.qtrace");
}

TEST_F(Following, AWriterThatIsKilledLeavesAnAbandonedTrace) {
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    const std::unique_ptr<TraceWriter> recording = begin();
    for (std::int64_t step = 0; step < 7; ++step)
      recording->append_batch(sample_step(step));
    [[maybe_unused]] const ssize_t told = write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  const RecordingFollower follower(options());  // not before: its locks must not be copied
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_TRUE(wait_for_steps(follower, 7));
  EXPECT_EQ(follower.status().state, FollowState::growing);
  kill(writer, SIGKILL);
  waitpid(writer, nullptr, 0);
  ASSERT_TRUE(wait_for_state(follower, FollowState::ended));
  EXPECT_EQ(follower.snapshot().trace->state, RecordingState::abandoned);
  EXPECT_EQ(follower.snapshot().trace->steps.size(), 7U);
  EXPECT_EQ(count_of(*follower.snapshot().trace, "incomplete_recording"), 1);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(Following, AFileThatIsNoRecordingIsAnError) {
  std::filesystem::copy_file("/etc/passwd", options().path);
  const RecordingFollower follower(options());
  ASSERT_TRUE(wait_for_state(follower, FollowState::failed));
  EXPECT_EQ(follower.status().error.value().message, "is no recording: not a SQLite file");
}

TEST_F(Following, ASecondRecordingAtTheSamePathIsReadAnew) {
  GrowthPosition position;
  {
    const std::unique_ptr<TraceWriter> first = begin();
    first->append_batch(sample_step(0));
    ASSERT_TRUE(read_growth(options().path, position)->whole.has_value());
    first->append_batch(sample_step(1));
    const Result<TraceGrowth> more = read_growth(options().path, position);
    EXPECT_FALSE(more->whole.has_value());
    EXPECT_EQ(more->batch.steps.size(), 1U);
    ASSERT_TRUE(first->finish());
  }
  const Result<TraceGrowth> ended = read_growth(options().path, position);
  EXPECT_TRUE(ended->whole.has_value());
  EXPECT_EQ(ended->state, RecordingState::complete);
}

}  // namespace
}  // namespace quintet

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

/// A child that records steps until it is killed, and reports each flushed one down a pipe.
class KilledRun {
 public:
  explicit KilledRun(const std::string& path) {
    EXPECT_EQ(pipe(pipe_), 0);
    child_ = fork();
    if (child_ == 0) record_forever(path);
    close(pipe_[1]);
  }
  ~KilledRun() { close(pipe_[0]); }
  KilledRun(const KilledRun&) = delete;
  KilledRun& operator=(const KilledRun&) = delete;

  /// Blocks until that many steps are flushed.
  void wait_for(std::int64_t steps) {
    char byte = 0;
    while (flushed_ < steps && read(pipe_[0], &byte, 1) == 1)
      ++flushed_;
  }
  /// Returns how many steps had been flushed.
  std::int64_t kill_now() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    char byte = 0;
    while (read(pipe_[0], &byte, 1) == 1)
      ++flushed_;
    return flushed_;
  }
  [[nodiscard]] pid_t child() const { return child_; }

 private:
  [[noreturn]] void record_forever(const std::string& path) const {
    auto writer = TraceWriter::create(path);
    if (!writer || !(*writer)->write_static(sample_plan())) _exit(1);
    for (std::int64_t step = 0;; ++step) {
      if (!(*writer)->append_batch(sample_step(step)) || write(pipe_[1], "x", 1) != 1) _exit(1);
    }
  }

  int pipe_[2] = {-1, -1};
  pid_t child_ = -1;
  std::int64_t flushed_ = 0;
};

TEST(KilledWriter, LosesNoFlushedBatchInFiftyKillsAtRandomMoments) {
  std::mt19937 random(20);
  int unborn = 0;
  for (int round = 0; round < 50; ++round) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.qtrace");
    KilledRun run(path);
    // The first milliseconds hold the birth of the file, so they get a third of the kills.
    const auto most = round % 3 == 0 ? 4'000U : 40'000U;
    usleep(static_cast<useconds_t>(random() % most));
    const std::int64_t flushed = run.kill_now();
    if (!std::filesystem::exists(path)) {
      EXPECT_EQ(flushed, 0);
      ++unborn;
      continue;
    }
    const Result<Trace> trace = read_trace(path);
    ASSERT_TRUE(trace) << to_string(trace.error());
    EXPECT_EQ(trace->state, RecordingState::abandoned);
    const auto steps = static_cast<std::int64_t>(trace->steps.size());
    // The batch in flight may have been committed without having been reported.
    EXPECT_GE(steps, flushed);
    EXPECT_LE(steps, flushed + 1);
    Trace expected = sample_trace(steps);
    expected.state = RecordingState::abandoned;
    ASSERT_FALSE(trace->findings.empty());
    expected.findings.push_back(trace->findings.back());
    EXPECT_EQ(trace->findings.back().name, "incomplete_recording");
    EXPECT_EQ(describe(*trace), describe(expected));
  }
  EXPECT_LT(unborn, 50);
}

TEST(KilledWriter, WhoseProcessLivesIsReadAsGrowing) {
  const TemporaryFolder folder;
  KilledRun run(folder.file("run.qtrace"));
  run.wait_for(3);
  const Result<RecordingHead> head = read_head(folder.file("run.qtrace"));
  ASSERT_TRUE(head) << to_string(head.error());
  EXPECT_EQ(head->state, RecordingState::growing);
  EXPECT_EQ(head->writer.pid, run.child());
  EXPECT_GE(head->steps, 3);
  // Nobody else may write there meanwhile.
  const auto second = TraceWriter::create(folder.file("run.qtrace"));
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("is recording into it"), std::string::npos);
  run.kill_now();
  EXPECT_EQ(read_head(folder.file("run.qtrace"))->state, RecordingState::abandoned);
}

TEST(KilledWriter, IsFollowedWithoutAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  KilledRun run(path);
  run.wait_for(1);
  std::size_t last = 0;
  for (int round = 0; round < 40; ++round) {
    const Result<Trace> trace = read_trace(path);
    ASSERT_TRUE(trace) << to_string(trace.error());
    EXPECT_GE(trace->steps.size(), last);
    EXPECT_EQ(trace->spans.size(), trace->steps.size() * 6);
    last = trace->steps.size();
  }
  run.kill_now();
}

/// A child that reads a recording over and over; its exit status is the number of errors.
pid_t start_reader(const std::string& path, const std::string& stop_file) {
  const pid_t child = fork();
  if (child != 0) return child;
  int errors = 0;
  while (!std::filesystem::exists(stop_file)) {
    if (!std::filesystem::exists(path)) continue;
    const Result<Trace> trace = read_trace(path);
    if (trace && trace->spans.size() == trace->steps.size() * 6) continue;
    if (!trace) std::fprintf(stderr, "%s\n", to_string(trace.error()).c_str());
    ++errors;
  }
  _exit(std::min(errors, 100));
}

TEST(FollowedWriter, IsBornGrowsAndFinishesUnderAReadersEyes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  const pid_t reader = start_reader(path, folder.file("stop"));
  for (int round = 0; round < 15; ++round) {
    auto writer = TraceWriter::create(path);
    ASSERT_TRUE(writer) << to_string(writer.error());
    ASSERT_TRUE((*writer)->write_static(sample_plan()));
    for (std::int64_t step = 0; step < 20; ++step)
      ASSERT_TRUE((*writer)->append_batch(sample_step(step)));
    ASSERT_TRUE((*writer)->finish());
  }
  std::ofstream(folder.file("stop")) << "now";
  int status = 0;
  waitpid(reader, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "errors of the reader";
  EXPECT_EQ(folder.listing(), "run.qtrace stop");
  EXPECT_EQ(describe(*read_trace(path)), describe(sample_trace(20)));
}

TEST(KilledWriter, LeavesARecordingThatCanBeCopiedAndReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  KilledRun run(path);
  run.wait_for(5);
  const std::int64_t flushed = run.kill_now();
  ASSERT_TRUE(copy_trace(path, folder.file("copy.qtrace")));
  EXPECT_GE(read_head(folder.file("copy.qtrace"))->steps, flushed);
  // The -wal it left must not find its way into the new recording.
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer) << to_string(writer.error());
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  ASSERT_TRUE((*writer)->append_batch(sample_step(0)));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(describe(*read_trace(path)), describe(sample_trace(1)));
  EXPECT_EQ(folder.listing(), "copy.qtrace run.qtrace");
}

TEST(KilledWriter, OfABirthLeavesNothingThatHindersTheNext) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  const pid_t child = fork();
  if (child == 0) {
    const auto writer = TraceWriter::create(path);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(folder.listing(), "run.qtrace.new");
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer) << to_string(writer.error());
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(folder.listing(), "run.qtrace");
}

}  // namespace
}  // namespace quintet

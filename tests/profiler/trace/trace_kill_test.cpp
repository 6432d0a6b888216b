#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "profiler/trace/folder_lock.h"
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

/// A child that reads a recording over and over, as soon as there is one.
class EagerReader {
 public:
  explicit EagerReader(const std::string& path) : stop_file_(path + ".stop") {
    child_ = fork();
    if (child_ == 0) _exit(std::min(read_until_stopped(path), 100));
  }
  ~EagerReader() {
    if (child_ > 0) stop();
  }
  EagerReader(const EagerReader&) = delete;
  EagerReader& operator=(const EagerReader&) = delete;

  /// Returns how many errors it met; it has printed them.
  int stop() {
    std::ofstream(stop_file_) << "now";
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    std::filesystem::remove(stop_file_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  [[nodiscard]] int read_until_stopped(const std::string& path) const {
    int errors = 0;
    bool born = false;
    while (!std::filesystem::exists(stop_file_)) {
      // Once there, it is always there.
      if (!born) born = std::filesystem::exists(path);
      if (born && !reads_well(path)) ++errors;
    }
    return errors;
  }
  static bool reads_well(const std::string& path) {
    const Result<Trace> trace = read_trace(path);
    if (!trace) {
      std::fprintf(stderr, "the reader: %s\n", to_string(trace.error()).c_str());
      return false;
    }
    if (trace->spans.size() == trace->steps.size() * 6) return true;
    std::fprintf(stderr, "the reader: %zu steps have %zu spans\n", trace->steps.size(),
                 trace->spans.size());
    return false;
  }

  std::string stop_file_;
  pid_t child_ = -1;
};

/// A recording of 20 steps, not yet finished.
Result<std::unique_ptr<TraceWriter>> record_twenty_steps(const std::string& path) {
  auto writer = TraceWriter::create(path);
  if (!writer) return writer;
  if (auto plan = (*writer)->write_static(sample_plan()); !plan) {
    return tl::unexpected(plan.error());
  }
  for (std::int64_t step = 0; step < 20; ++step) {
    if (!(*writer)->append_batch(sample_step(step))) {
      return tl::unexpected(*(*writer)->status().error);
    }
  }
  return writer;
}

TEST(FollowedWriter, IsBornGrowsAndFinishesUnderAReadersEyes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  EagerReader reader(path);
  for (int round = 0; round < 15; ++round) {
    const auto writer = record_twenty_steps(path);
    ASSERT_TRUE(writer) << to_string(writer.error());
    ASSERT_TRUE((*writer)->finish());
    EXPECT_EQ(folder.listing(), "run.qtrace") << round;
  }
  EXPECT_EQ(reader.stop(), 0) << "errors of the reader";
  EXPECT_EQ(describe(*read_trace(path)), describe(sample_trace(20)));
}

TEST(FollowedWriter, IsReplacedUnderAReadersEyesThoughItNeverFinished) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  EagerReader reader(path);
  for (int round = 0; round < 15; ++round) {
    const auto writer = record_twenty_steps(path);
    ASSERT_TRUE(writer) << to_string(writer.error());
  }
  EXPECT_EQ(reader.stop(), 0) << "errors of the reader";
  EXPECT_EQ(read_head(path)->steps, 20);
}

TEST(FollowedWriter, WaitsForAReaderThatIsJustOpeningTheOldRecording) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  ASSERT_TRUE((*TraceWriter::create(path))->write_static(sample_plan()));
  FolderLock opening = FolderLock::for_opening(path);
  std::thread writer([&] { EXPECT_TRUE(record_twenty_steps(path)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(read_head(path)->steps, 0);
  opening.release();
  writer.join();
  EXPECT_EQ(read_head(path)->steps, 20);
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

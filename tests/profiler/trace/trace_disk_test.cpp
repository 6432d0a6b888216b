#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;

/// Creates, writes the plan; the first error of the two.
Result<void> start(const std::string& path) {
  auto writer = TraceWriter::create(path);
  if (!writer) return tl::unexpected(writer.error());
  return (*writer)->write_static(sample_plan());
}

void expect_no_file_left(const TemporaryFolder& folder) {
  int refused = 0;
  for (const std::uint64_t limit : {0, 100, 4096, 10'000, 30'000, 60'000, 100'000, 120'000}) {
    Result<void> started;
    {
      const FileSizeLimit full(limit);
      started = start(folder.file("run.qtrace"));
    }
    if (started) {
      fs::remove(folder.file("run.qtrace"));
      continue;
    }
    ++refused;
    EXPECT_EQ(started.error().file, folder.file("run.qtrace"));
    EXPECT_NE(started.error().message.find("no space left"), std::string::npos)
        << limit << ": " << started.error().message;
    EXPECT_EQ(folder.listing(), "") << limit;
  }
  EXPECT_GE(refused, 5);
}

TEST(FullDisk, BeforeTheFirstStepLeavesNoFile) {
  const TemporaryFolder folder;
  expect_no_file_left(folder);
}

/// Records until the disk is full; then everything stored must be there, and whole.
void expect_whole_batches(const std::string& path) {
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer) << to_string(writer.error());
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  std::int64_t step = 0;
  while (step < 100'000 && (*writer)->append_batch(sample_step(step)))
    ++step;
  ASSERT_LT(step, 100'000);
  ASSERT_GT(step, 10);
  for (int more = 0; more < 3; ++more)
    EXPECT_FALSE((*writer)->append_batch(sample_step(step + 1 + more)));
  const WriterStatus status = (*writer)->status();
  ASSERT_TRUE(status.error);
  EXPECT_NE(status.error->message.find("no space left"), std::string::npos);
  EXPECT_EQ(status.stored_batches, step);
  EXPECT_EQ(status.dropped_batches, 4);
  EXPECT_EQ(status.dropped_spans, 24);
  EXPECT_EQ(status.dropped_steps, 4);
  EXPECT_FALSE((*writer)->finish());

  const Result<Trace> trace = read_trace(path);
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->state, RecordingState::abandoned);
  Trace expected = sample_trace(step);
  EXPECT_EQ(trace->steps.size(), expected.steps.size());
  EXPECT_EQ(trace->spans.begin_ns, expected.spans.begin_ns);
  EXPECT_EQ(trace->spans.task, expected.spans.task);
  ASSERT_GE(trace->findings.size(), 2U);
  const Finding& stopped = trace->findings[trace->findings.size() - 2];
  EXPECT_EQ(stopped.name, "recording_stopped");
  EXPECT_EQ(stopped.count, 24);
  EXPECT_EQ(trace->findings.back().name, "incomplete_recording");
}

TEST(FullDisk, InTheRunKeepsEveryStoredBatchAndSaysSo) {
  for (const std::uint64_t limit : {200'000, 1'000'000, 5'000'000}) {
    const TemporaryFolder folder;
    const FileSizeLimit full(limit);
    expect_whole_batches(folder.file("run.qtrace"));
  }
}

/// A file system of a few hundred kilobytes; needs root.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size)
      : mounted_(mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) ==
                 0) {}
  ~SmallDisk() {
    if (mounted_) umount(folder_.path().c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string listing() const { return folder_.listing(); }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

TEST(FullDisk, ThatIsASmallFileSystemKeepsEveryStoredBatch) {
  for (const char* size : {"400k", "1m", "6m"}) {
    const SmallDisk disk(size);
    if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
    expect_whole_batches(disk.file("run.qtrace"));
  }
}

TEST(FullDisk, ThatIsASmallFileSystemLeavesNoFileBeforeTheFirstStep) {
  for (const char* size : {"4k", "16k", "64k", "100k", "128k", "140k"}) {
    const SmallDisk disk(size);
    if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
    const Result<void> started = start(disk.file("run.qtrace"));
    if (started) continue;
    EXPECT_NE(started.error().message.find("no space left"), std::string::npos)
        << size << ": " << started.error().message;
    EXPECT_EQ(disk.listing(), "") << size;
  }
}

/// Runs `check` as a user for whom permissions count; true if it returned true.
template <class Check>
bool as_ordinary_user(Check check) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
    _exit(check() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ReadOnlyFolder, OpensACompleteRecording) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  {
    auto writer = TraceWriter::create(path);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write_static(sample_plan()));
    ASSERT_TRUE((*writer)->append_batch(sample_step(0)));
    ASSERT_TRUE((*writer)->finish());
  }
  fs::permissions(path, fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_TRUE(as_ordinary_user([&] {
    const Result<Trace> trace = read_trace(path);
    return trace && describe(*trace) == describe(sample_trace(1));
  }));
}

TEST(ReadOnlyFolder, RefusesARecordingWithTheFolderNamed) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_TRUE(as_ordinary_user([&] {
    const auto writer = TraceWriter::create(folder.file("run.qtrace"));
    return !writer && writer.error().file == folder.file("run.qtrace") &&
           writer.error().message.find("Permission denied") != std::string::npos &&
           !writer.error().cure.empty();
  }));
  EXPECT_EQ(folder.listing(), "");
}

TEST(ReadOnlyFolder, TellsHowToOpenARecordingOfAKilledRun) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  const pid_t child = fork();
  if (child == 0) {
    auto writer = TraceWriter::create(path);
    if (writer && (*writer)->write_static(sample_plan())) kill(getpid(), SIGKILL);
    _exit(1);
  }
  waitpid(child, nullptr, 0);
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_TRUE(as_ordinary_user([&] {
    const Result<Trace> trace = read_trace(path);
    return !trace && trace.error().cure.find("-wal") != std::string::npos;
  }));
}

struct BadTarget {
  const char* name;
  const char* message;
};

TEST(BadTarget, IsRefusedWithACureAndNothingIsTouched) {
  const TemporaryFolder folder;
  fs::create_directory(folder.file("inner"));
  std::ofstream(folder.file("notes.txt")) << "not a recording, and longer than sixteen bytes\n";
  { Database(folder.file("other.db"), Database::Mode::create).execute("CREATE TABLE t(x)"); }
  const std::string before = folder.listing();
  for (const BadTarget& bad :
       {BadTarget{"missing/run.qtrace", "does not exist"},
        BadTarget{"notes.txt/run.qtrace", "is no folder"}, BadTarget{"inner", "is a folder"},
        BadTarget{"notes.txt", "something else"}, BadTarget{"other.db", "something else"}}) {
    const auto writer = TraceWriter::create(folder.file(bad.name));
    ASSERT_FALSE(writer) << bad.name;
    EXPECT_NE(writer.error().message.find(bad.message), std::string::npos)
        << writer.error().message;
    EXPECT_FALSE(writer.error().cure.empty());
    EXPECT_EQ(writer.error().file, folder.file(bad.name));
    EXPECT_EQ(folder.listing(), before);
  }
}

TEST(BadTarget, ThatIsBeingCreatedByAnotherWriterIsRefused) {
  const TemporaryFolder folder;
  const auto first = TraceWriter::create(folder.file("run.qtrace"));
  ASSERT_TRUE(first);
  EXPECT_FALSE(TraceWriter::create(folder.file("run.qtrace")));
  EXPECT_TRUE((*first)->write_static(sample_plan()));
}

}  // namespace
}  // namespace quintet

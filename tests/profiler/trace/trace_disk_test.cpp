#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/trace/new_file.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_file.h"
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
    EXPECT_EQ(started.error().kind, ErrorKind::machine) << limit;
    EXPECT_EQ(folder.listing(), "") << limit;
  }
  EXPECT_GE(refused, 6);
}

TEST(FullDisk, BeforeTheFirstStepLeavesNoFile) {
  const TemporaryFolder folder;
  expect_no_file_left(folder);
}

/// Runs `run` in a child process; true if it returned true.
template <class Run>
bool in_child(Run run) {
  const pid_t child = fork();
  if (child == 0) _exit(run() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Records until no byte fits any more; returns how many steps were stored, -1 where the writer
/// miscounts.
std::int64_t record_until_full(TraceWriter& writer) {
  std::int64_t step = 0;
  while (step < 100'000 && writer.append_batch(sample_step(step)))
    ++step;
  for (int more = 0; more < 3; ++more)
    writer.append_batch(sample_step(step + 1 + more));
  const WriterStatus& status = writer.status();
  const bool right = status.error && status.error->message == "no space left to write it" &&
                     status.error->kind == ErrorKind::machine && status.stored_batches == step &&
                     status.stored_spans == 6 * step && status.dropped_batches == 4 &&
                     status.dropped_spans == 24 && status.dropped_steps == 4;
  return right ? step : -1;
}

/// A recording that stopped for want of space holds whole steps and says that it is incomplete.
void expect_whole_steps(const std::string& path) {
  const Result<Trace> trace = read_trace(path);
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->state, RecordingState::abandoned);
  EXPECT_EQ(trace->findings.back().name, "incomplete_recording");
  const Trace expected = sample_trace(static_cast<std::int64_t>(trace->steps.size()));
  EXPECT_EQ(trace->spans.begin_ns, expected.spans.begin_ns);
  EXPECT_EQ(trace->spans.task, expected.spans.task);
  EXPECT_EQ(trace->host_waits.size(), expected.host_waits.size());
  EXPECT_EQ(trace->launches.size(), expected.launches.size());
}

/// Fills the disk in a process of its own, so that the reader sees what the end of one leaves.
void expect_recording_survives(const std::string& path) {
  EXPECT_TRUE(in_child([&] {
    auto writer = TraceWriter::create(path);
    if (!writer || !(*writer)->write_static(sample_plan())) return false;
    const std::int64_t stored = record_until_full(**writer);
    if (stored < 0 || (*writer)->finish()) return false;
    return read_head(path)->steps == stored;
  }));
  expect_whole_steps(path);
}

TEST(FullDisk, InTheRunKeepsEveryStoredBatch) {
  for (const std::uint64_t limit : {150'000, 200'000, 1'000'000, 5'000'000}) {
    const TemporaryFolder folder;
    const FileSizeLimit full(limit);
    expect_recording_survives(folder.file("run.qtrace"));
  }
}

TEST(FullDisk, InTheRunIsAFindingWithCounts) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer) << to_string(writer.error());
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  {
    const FileSizeLimit full(500'000);
    ASSERT_GT(record_until_full(**writer), 0);
  }
  // Space comes back, but a recording with a hole would be worse than one that ends.
  EXPECT_FALSE((*writer)->append_batch(sample_step(1)));
  EXPECT_FALSE((*writer)->finish());
  EXPECT_EQ(folder.listing(), "run.qtrace");
  expect_whole_steps(path);
  const Result<Trace> trace = read_trace(path);
  const Finding& stopped = trace->findings.at(trace->findings.size() - 2);
  EXPECT_EQ(stopped.name, "recording_stopped");
  EXPECT_EQ(stopped.severity, Severity::data_loss);
  EXPECT_EQ(stopped.count, 30);
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
    expect_recording_survives(disk.file("run.qtrace"));
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
    EXPECT_EQ(started.error().kind, ErrorKind::machine) << size;
    EXPECT_EQ(disk.listing(), "") << size;
  }
}

/// Every way to write a recording or an export from one that is there.
template <class Write>
void expect_machine_error(const std::string& what, const std::string& target, Write write) {
  const Result<void> written = write(target);
  ASSERT_FALSE(written) << what;
  EXPECT_EQ(written.error().kind, ErrorKind::machine) << what << ": " << written.error().message;
  EXPECT_EQ(written.error().file, target) << what;
}

template <class MachineFails>
void expect_machine_errors(MachineFails fails, const std::string& source) {
  Trace trace = read_trace(source).value();
  fails("a plain recording",
        [&](const std::string& target) { return write_trace(trace, target, TraceForm::plain); });
  fails("a compressed recording",
        [&](const std::string& target) { return write_trace(trace, target, TraceForm::gzip); });
  fails("a copy", [&](const std::string& target) { return copy_trace(source, target); });
  fails("an export", [&](const std::string& target) { return export_sql(source, target); });
}

/// A finished recording of 40 steps.
std::string finished_recording(const TemporaryFolder& folder) {
  const std::string path = folder.file("whole.qtrace");
  auto writer = TraceWriter::create(path);
  EXPECT_TRUE(writer && (*writer)->write_static(sample_plan()));
  for (std::int64_t step = 0; step < 40; ++step)
    EXPECT_TRUE((*writer)->append_batch(sample_step(step)));
  EXPECT_TRUE((*writer)->finish());
  return path;
}

TEST(FullDisk, IsAnErrorOfTheMachineInEveryWayToWrite) {
  const TemporaryFolder folder;
  const std::string source = finished_recording(folder);
  for (const std::uint64_t limit : {0, 3000, 8192}) {
    expect_machine_errors(
        [&](const std::string& what, auto write) {
          const TemporaryFolder other;
          const FileSizeLimit full(limit);
          expect_machine_error(what, other.file("out.qtrace"), write);
          EXPECT_EQ(other.listing(), "") << what;
        },
        source);
  }
}

TEST(FullDisk, ThatIsASmallFileSystemIsAnErrorOfTheMachineInEveryWayToWrite) {
  const TemporaryFolder folder;
  const std::string source = finished_recording(folder);
  for (const char* size : {"4k", "8k"}) {
    const SmallDisk disk(size);
    if (!disk.mounted()) GTEST_SKIP() << "only root can mount a small file system";
    expect_machine_errors(
        [&](const std::string& what, auto write) {
          expect_machine_error(what, disk.file("out.qtrace"), write);
          EXPECT_EQ(disk.listing(), "") << what;
        },
        source);
  }
}

TEST(FailedRename, IsAnErrorOfTheMachine) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  Result<NewFile> file = NewFile::create(path, kRecordingId);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->fill(std::vector<std::byte>(100)));
  fs::create_directory(path);
  const Result<void> published = file->publish();
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().kind, ErrorKind::machine);
  EXPECT_EQ(published.error().file, path);
}

TEST(DamagedSource, OfACopyIsNotAnErrorOfTheMachine) {
  const TemporaryFolder folder;
  const std::string source = finished_recording(folder);
  fs::resize_file(source, fs::file_size(source) - 5000);
  const Result<void> copied = copy_trace(source, folder.file("copy.qtrace"));
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().kind, ErrorKind::input) << copied.error().message;
  EXPECT_EQ(read_trace(source).error().kind, ErrorKind::input);
  EXPECT_EQ(read_trace(folder.file("none.qtrace")).error().kind, ErrorKind::input);
}

/// Runs `check` in a process for which permissions count; true if it returned true.
template <class Check>
bool as_ordinary_user(Check check) {
  return in_child([&] {
    constexpr uid_t kNobody = 65534;
    return (geteuid() != 0 || setuid(kNobody) == 0) && check();
  });
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
  fs::permissions(path, fs::perms(0444));
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
           writer.error().kind == ErrorKind::input && !writer.error().cure.empty();
  }));
  EXPECT_EQ(folder.listing(), "");
}

TEST(ReadOnlyFolder, OpensWhatAKilledRunLeftAndTellsWhenItsSideFilesAreMissing) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  in_child([&] {
    auto writer = TraceWriter::create(path);
    if (writer && (*writer)->write_static(sample_plan()) &&
        (*writer)->append_batch(sample_step(0))) {
      kill(getpid(), SIGKILL);
    }
    return false;
  });
  ASSERT_EQ(folder.listing(), "run.qtrace run.qtrace-shm run.qtrace-wal");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    fs::permissions(entry.path(), fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_TRUE(as_ordinary_user([&] {
    const Result<Trace> trace = read_trace(path);
    return trace && trace->state == RecordingState::abandoned && trace->steps.size() == 1;
  }));
  fs::permissions(folder.path(), fs::perms(0755));
  fs::remove(path + "-wal");
  fs::remove(path + "-shm");
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
    EXPECT_EQ(writer.error().kind, ErrorKind::input);
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

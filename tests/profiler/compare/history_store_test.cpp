#include "profiler/compare/history_store.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using Access = HistoryStore::Access;

HistoryEntry entry(std::uint64_t seed, const std::string& commit = "c0ffee") {
  ExampleOptions options;
  options.seed = seed;
  return history_entry(example_trace(options), "run.qtrace", commit);
}

class History : public testing::Test {
 protected:
  HistoryStore open(Access access = Access::write) {
    auto store = HistoryStore::open(path(), access);
    EXPECT_TRUE(store) << to_string(store.error());
    return std::move(*store);
  }
  std::string path() { return folder_.file("history.sqlite"); }
  std::string refusal(Access access) {
    const auto store = HistoryStore::open(path(), access);
    EXPECT_FALSE(store);
    return store ? std::string() : to_string(store.error());
  }

  TemporaryFolder folder_;
};

TEST_F(History, KeepsWhatARunWasAndEveryKnownMetric) {
  EXPECT_EQ(*open().add({entry(1)}), 0U);
  HistoryStore store = open(Access::read);
  const auto runs = store.runs({});
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().scenario, "fashion-lenet");
  EXPECT_EQ(runs->front().policy, "renaissance-dataflow");
  EXPECT_EQ(runs->front().commit, "c0ffee");
  EXPECT_EQ(runs->front().started, "2026-11-29T12:00:00Z");
  EXPECT_GT(runs->front().timed_steps, 0);
  const auto values = store.values({}, "step/time");
  ASSERT_TRUE(values);
  ASSERT_EQ(values->size(), 1U);
  EXPECT_EQ(values->front().metric.hint, MetricHint::duration);
  EXPECT_GT(values->front().metric.value, 2e6);
  EXPECT_TRUE(values->front().metric.spread);
  EXPECT_EQ(values->front().metric.name, "Step time");
}

TEST_F(History, ReplacesARecordingThatIsAddedAgain) {
  EXPECT_EQ(*open().add({entry(1), entry(2)}), 0U);
  EXPECT_EQ(*open().add({entry(1, "another")}), 1U);
  const auto runs = open(Access::read).runs({});
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ(std::count_if(runs->begin(), runs->end(),
                          [](const HistoryRun& run) { return run.commit == "another"; }),
            1);
}

TEST_F(History, FiltersByScenarioPolicyAndDevice) {
  HistoryEntry other = entry(2);
  other.run.policy = "serial";
  other.run.device = "a GPU";
  ASSERT_TRUE(open().add({entry(1), other}));
  HistoryStore store = open(Access::read);
  EXPECT_EQ(store.runs({"fashion-lenet", "", ""})->size(), 2U);
  EXPECT_EQ(store.runs({"fashion-lenet", "serial", ""})->size(), 1U);
  EXPECT_EQ(store.runs({"", "", "a GPU"})->size(), 1U);
  EXPECT_TRUE(store.runs({"nothing", "", ""})->empty());
  EXPECT_TRUE(store.values({}, "no/such")->empty());
  EXPECT_THAT(*store.tags(), testing::Contains("step/time"));
}

TEST_F(History, IsNotMadeByReading) {
  EXPECT_THAT(refusal(Access::read), HasSubstr("no such file; begin one"));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(History, RefusesFilesThatAreNone) {
  std::ofstream(path()) << "these are no bytes of a database, and more than a header of one is";
  EXPECT_THAT(refusal(Access::write), HasSubstr("is no history"));
  std::filesystem::remove(path());
  Database(path(), Database::Mode::create).execute("CREATE TABLE mine(id INTEGER)");
  EXPECT_THAT(refusal(Access::write), HasSubstr("is no history"));
  EXPECT_THAT(refusal(Access::read), HasSubstr("is no history"));
  std::filesystem::remove(path());
  std::filesystem::create_directory(path());
  EXPECT_THAT(refusal(Access::write), HasSubstr("is a folder"));
}

TEST_F(History, RefusesAnotherVersion) {
  open();
  Database(path(), Database::Mode::read_write).execute("PRAGMA user_version = 99");
  EXPECT_THAT(refusal(Access::read), HasSubstr("has history version 99"));
  EXPECT_THAT(refusal(Access::write), HasSubstr("has history version 99"));
}

TEST_F(History, LosesNothingWhereProcessesBeginItAtOnce) {
  constexpr int kWriters = 4;
  constexpr int kRuns = 5;
  std::vector<pid_t> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      bool fine = true;
      for (int run = 0; run < kRuns && fine; ++run) {
        auto store = HistoryStore::open(path(), Access::write);
        fine = store && store->add({entry(static_cast<std::uint64_t>(100 * writer + run + 1))});
      }
      _exit(fine ? 0 : 1);
    }
    writers.push_back(child);
  }
  for (const pid_t writer : writers) {
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open(Access::read).runs({})->size(), std::size_t{kWriters * kRuns});
}

}  // namespace
}  // namespace quintet

// What a tool that reads NVTX sees of a run on the host executor.
#include "runtime/observe/nvtx_observer.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "runtime/cuda/stream_name.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

using testing::IsSupersetOf;

struct Call {
  std::string what, thread, domain;
  std::uint32_t category = 0;
  std::int64_t payload = 0;
  std::string name;
};

std::vector<Call> calls_in(const std::string& path) {
  std::vector<Call> calls;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    Call call;
    std::string category, payload;
    for (std::string* field :
         {&call.what, &call.thread, &call.domain, &category, &payload, &call.name})
      std::getline(fields, *field, '\t');
    call.category = static_cast<std::uint32_t>(std::stoul(category));
    call.payload = std::stoll(payload);
    calls.push_back(std::move(call));
  }
  return calls;
}

/// Twelve steps of LeNet-5 on five host streams, watched by a tool that writes to a file.
class NvtxOfARun : public testing::Test {
 protected:
  void SetUp() override {
    const std::string log =
        std::filesystem::temp_directory_path() / ("quintet-nvtx-" + std::to_string(getpid()));
    std::filesystem::remove(log);
    // NVTX looks for its tool at the first call of the process.
    setenv("NVTX_INJECTION64_PATH", QUINTET_NVTX_RECORDER, 1);
    setenv("QUINTET_NVTX_LOG", log.c_str(), 1);
    session_ = prepare_tiny({.train_steps = kSteps},
                            policy_with("renaissance", SyncRule::dataflow, GradientMode::separate,
                                        StepMode::event_sync));
    {
      const std::unique_ptr<NvtxObserver> nvtx = NvtxObserver::attach();
      ASSERT_NE(nvtx, nullptr);
      session_->run(nvtx.get(), {});
    }
    name_stream(StreamRef(reinterpret_cast<cudaStream_t>(0x50)), "COMP_1");
    calls_ = calls_in(log);
    std::filesystem::remove(log);
  }
  [[nodiscard]] std::vector<Call> of(const std::string& what) const {
    std::vector<Call> chosen;
    for (const Call& call : calls_) {
      if (call.what == what) chosen.push_back(call);
    }
    return chosen;
  }
  [[nodiscard]] std::vector<Call> pushed(NvtxCategory category) const {
    std::vector<Call> chosen;
    for (const Call& call : of("push")) {
      if (call.category == static_cast<std::uint32_t>(category)) chosen.push_back(call);
    }
    return chosen;
  }

  static constexpr std::int64_t kSteps = 12;
  std::unique_ptr<TrainingSession> session_;
  std::vector<Call> calls_;
};

TEST_F(NvtxOfARun, IsOneDomainWithNamedCategories) {
  for (const Call& call : calls_) {
    const bool in_domain = call.what != "thread" && call.what != "stream";
    EXPECT_EQ(call.domain, in_domain ? "quintet" : "") << call.what;
  }
  std::map<std::uint32_t, std::string> categories;
  for (const Call& call : of("category"))
    categories[call.category] = call.name;
  const std::map<std::uint32_t, std::string> expected{
      {1, "capture"}, {2, "launch"}, {3, "host task"}, {4, "step"}, {5, "wait"}};
  EXPECT_EQ(categories, expected);
  EXPECT_EQ(of("destroy").size(), 1U);
}

TEST_F(NvtxOfARun, PopsOnEachThreadWhatWasPushedThere) {
  std::map<std::string, int> depth;
  for (const Call& call : calls_) {
    if (call.what == "push") ++depth[call.thread];
    if (call.what == "pop") {
      ASSERT_GT(depth[call.thread], 0) << "thread " << call.thread;
      --depth[call.thread];
    }
  }
  EXPECT_GE(depth.size(), 4U);
  for (const auto& [thread, open] : depth)
    EXPECT_EQ(open, 0) << "thread " << thread;
}

TEST_F(NvtxOfARun, HasARangeForEveryStepThatEnds) {
  const std::size_t steps = session_->schedule().size();
  std::set<std::int64_t> begun;
  for (const Call& call : of("start")) {
    EXPECT_EQ(call.category, static_cast<std::uint32_t>(NvtxCategory::step));
    EXPECT_EQ(call.name, "step");
    begun.insert(call.payload);
  }
  std::set<std::int64_t> ended;
  for (const Call& call : of("end"))
    ended.insert(call.payload);
  EXPECT_EQ(begun.size(), steps);
  EXPECT_EQ(of("start").size(), steps);
  EXPECT_EQ(begun, ended);
}

TEST_F(NvtxOfARun, NamesTasksAndGraphsAndTellsTheirStep) {
  std::map<std::string, std::set<std::int64_t>> steps;
  for (const Call& call : pushed(NvtxCategory::host_task))
    steps[call.name].insert(call.payload);
  std::set<std::string> known;
  for (const Task& task : session_->plan().tasks)
    known.insert(task.name);
  for (const auto& [name, served] : steps) {
    EXPECT_TRUE(known.contains(name)) << name;
    EXPECT_GE(*served.begin(), 0) << name;
  }
  std::size_t every_step = 0;
  for (const auto& [name, served] : steps)
    every_step += served.size() >= static_cast<std::size_t>(kSteps) ? 1 : 0;
  EXPECT_GT(every_step, 10U);
  std::set<std::string> graphs;
  for (const Call& call : pushed(NvtxCategory::launch))
    graphs.insert(call.name);
  std::set<std::string> planned;
  for (const auto& [key, graph] : session_->plan().graphs)
    planned.insert(session_->plan().name(key));
  EXPECT_FALSE(graphs.empty());
  EXPECT_THAT(planned, IsSupersetOf(graphs));
  for (const Call& call : pushed(NvtxCategory::wait))
    EXPECT_TRUE(call.name == "host_wait" || call.name == "host_sync") << call.name;
  EXPECT_FALSE(pushed(NvtxCategory::wait).empty());
}

TEST_F(NvtxOfARun, NamesThreadsAndStreams) {
  std::set<std::string> threads;
  for (const Call& call : of("thread"))
    EXPECT_TRUE(threads.insert(call.name).second) << call.name << " twice";
  EXPECT_THAT(threads,
              IsSupersetOf({"MAIN", "LOADER", "TRANS", "COMP_1", "COMP_2", "COMP_3", "UPDATE"}));
  ASSERT_EQ(of("stream").size(), 1U);
  EXPECT_EQ(of("stream")[0].name, "COMP_1");
  EXPECT_EQ(of("stream")[0].payload, 0x50);
}

TEST(NvtxDeathTest, HasNoObserverWhereNoToolIsAttached) {
  // NVTX decides once a process, so this needs one of its own.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  unsetenv("NVTX_INJECTION64_PATH");
  EXPECT_EXIT(std::exit(NvtxObserver::attach() == nullptr ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace quintet::test

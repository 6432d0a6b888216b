#include "viewer/model/background.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>

namespace quintet::viewer {
namespace {

TEST(Background, DeliversAResultOnTheThreadThatCollects) {
  Background background;
  std::thread::id worker;
  std::thread::id receiver;
  int received = 0;
  background.start<int>(
      "job", "Counting",
      [&](JobControl&) {
        worker = std::this_thread::get_id();
        return 41;
      },
      [&](int result) {
        receiver = std::this_thread::get_id();
        received = result + 1;
      });
  background.finish();
  EXPECT_EQ(received, 42);
  EXPECT_EQ(receiver, std::this_thread::get_id());
  EXPECT_NE(worker, receiver);
}

TEST(Background, DropsTheResultOfAJobThatANewerOneOfItsKeyReplaced) {
  Background background;
  std::latch begun(1);
  std::latch may_end(1);
  std::string received;
  background.start<std::string>(
      "proof", "Proving",
      [&](JobControl&) {
        begun.count_down();
        may_end.wait();
        return std::string("old");
      },
      [&](const std::string& result) { received += result; });
  begun.wait();
  background.start<std::string>(
      "proof", "Proving", [](JobControl&) { return std::string("new"); },
      [&](const std::string& result) { received += result; });
  may_end.count_down();
  background.finish();
  EXPECT_EQ(received, "new");
}

TEST(Background, ARunningJobSeesThatItIsCancelledAndIsNeverDelivered) {
  Background background;
  std::latch begun(1);
  std::atomic<bool> saw = false;
  bool delivered = false;
  background.start<int>(
      "load", "Loading",
      [&](JobControl& control) {
        begun.count_down();
        while (!control.cancelled())
          std::this_thread::yield();
        saw = true;
        return 1;
      },
      [&](int) { delivered = true; });
  begun.wait();
  background.cancel("load");
  EXPECT_FALSE(background.busy("load"));
  background.start<int>(
      "after", "After", [](JobControl&) { return 0; }, [](int) {});
  background.finish();
  while (!saw)
    std::this_thread::yield();
  background.collect();
  EXPECT_FALSE(delivered);
}

TEST(Background, AJobThatWaitsIsCancelledWithoutRunning) {
  Background background({}, 1);
  std::latch begun(1);
  std::latch may_end(1);
  background.start<int>(
      "first", "First",
      [&](JobControl&) {
        begun.count_down();
        may_end.wait();
        return 0;
      },
      [](int) {});
  begun.wait();
  bool ran = false;
  background.start<int>(
      "second", "Second",
      [&](JobControl&) {
        ran = true;
        return 0;
      },
      [](int) {});
  background.cancel("second");
  may_end.count_down();
  background.finish();
  EXPECT_FALSE(ran);
}

TEST(Background, TellsTitleAndProgressOfWhatWaitsAndRuns) {
  Background background({}, 1);
  std::latch begun(1);
  std::latch may_end(1);
  background.start<int>(
      "first", "First",
      [&](JobControl& control) {
        control.progress(0.25);
        begun.count_down();
        may_end.wait();
        return 0;
      },
      [](int) {});
  background.start<int>(
      "second", "Second", [](JobControl&) { return 0; }, [](int) {});
  begun.wait();
  const std::vector<JobStatus> status = background.status();
  ASSERT_EQ(status.size(), 2U);
  EXPECT_EQ(status[0].title, "First");
  EXPECT_TRUE(status[0].running);
  EXPECT_DOUBLE_EQ(status[0].progress, 0.25);
  EXPECT_FALSE(status[1].running);
  EXPECT_LT(status[1].progress, 0);
  may_end.count_down();
  background.finish();
  EXPECT_TRUE(background.status().empty());
  EXPECT_TRUE(background.idle());
}

TEST(Background, HandsOverWhatAnExceptionSaid) {
  Background background;
  std::string failure;
  bool delivered = false;
  background.start<int>(
      "bad", "Bad", [](JobControl&) -> int { throw std::runtime_error("out of luck"); },
      [&](int) { delivered = true; }, [&](const std::string& said) { failure = said; });
  background.finish();
  EXPECT_EQ(failure, "out of luck");
  EXPECT_FALSE(delivered);
}

TEST(Background, WakesTheSleeperForEachResult) {
  std::atomic<int> woken = 0;
  {
    Background background([&] { ++woken; });
    for (int job = 0; job < 10; ++job)
      background.start<int>(
          std::to_string(job), "", [](JobControl&) { return 0; }, [](int) {});
    background.finish();
  }
  EXPECT_EQ(woken, 10);
}

TEST(Background, EndsWhileJobsWaitAndRun) {
  std::atomic<bool> begun = false;
  Background background({}, 1);
  background.start<int>(
      "long", "Long",
      [&](JobControl& control) {
        begun = true;
        while (!control.cancelled())
          std::this_thread::yield();
        return 0;
      },
      [](int) {});
  for (int job = 0; job < 100; ++job)
    background.start<int>(
        std::to_string(job), "", [](JobControl&) { return 0; }, [](int) {});
  while (!begun)
    std::this_thread::yield();
}

TEST(Background, ManyReplacementsOfOneKeyDeliverTheNewestAlone) {
  Background background;
  int newest = -1;
  int deliveries = 0;
  for (int job = 0; job < 2000; ++job) {
    background.start<int>(
        "draft", "", [job](JobControl&) { return job; },
        [&](int result) {
          EXPECT_GT(result, newest);
          newest = result;
          ++deliveries;
        });
    background.collect();
  }
  background.finish();
  EXPECT_EQ(newest, 1999);
  EXPECT_GE(deliveries, 1);
}

}  // namespace
}  // namespace quintet::viewer

#include "runtime/host/host_counter.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace quintet {
namespace {

TEST(HostCounter, NeverFalls) {
  HostCounter counter;
  counter.advance_to(5);
  counter.advance_to(3);
  EXPECT_EQ(counter.value(), 5);
  counter.wait_at_least(5);
  counter.wait_at_least(-7);
}

TEST(HostCounter, ShowsWhatWasWrittenBeforeTheAdvance) {
  HostCounter counter;
  std::vector<int> data(1000, 0);
  std::thread reader([&] {
    counter.wait_at_least(1);
    for (const int value : data)
      EXPECT_EQ(value, 7);
  });
  data.assign(data.size(), 7);
  counter.advance_to(1);
  reader.join();
}

TEST(HostCounter, EndsAtTheHighestOfManyAdvances) {
  HostCounter counter;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&counter, thread] {
      for (std::int64_t value = thread; value < 4000; value += 4)
        counter.advance_to(value);
    });
  }
  counter.wait_at_least(3999);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(counter.value(), 3999);
}

}  // namespace
}  // namespace quintet

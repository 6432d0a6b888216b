#include "runtime/host/host_stream.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <omp.h>
#include <thread>
#include <vector>

#include "runtime/host/host_counter.h"

namespace quintet {
namespace {

/// Notes what it was given, in the order of the runs.
class Note final : public HostWork {
 public:
  void run(std::int64_t number, std::int64_t step) noexcept override {
    numbers.push_back(number * 1000 + step);
    threads = omp_get_max_threads();
  }
  std::vector<std::int64_t> numbers;
  int threads = 0;
};

/// Blocks its stream until a counter allows it.
class Gate final : public HostWork {
 public:
  void run(std::int64_t number, std::int64_t /*step*/) noexcept override {
    open.wait_at_least(number);
    passed.advance_to(number);
  }
  HostCounter open;
  HostCounter passed;
};

TEST(HostStream, RunsWhatIsEnqueuedInOrder) {
  Note note;
  HostStream stream(StreamKind::COMP_2);
  for (int number = 0; number < 100; ++number)
    stream.enqueue(note, number, 1);
  stream.synchronize();
  ASSERT_EQ(note.numbers.size(), 100U);
  for (int number = 0; number < 100; ++number)
    EXPECT_EQ(note.numbers[number], number * 1000 + 1);
}

TEST(HostStream, PinsOpenMpToOneThread) {
  Note note;
  HostStream stream(StreamKind::COMP_1);
  stream.enqueue(note, 0, 0);
  stream.synchronize();
  EXPECT_EQ(note.threads, 1);
}

TEST(HostStream, WaitsOnlyForWhatWasEnqueuedBefore) {
  Gate gate;
  Note note;
  HostStream stream(StreamKind::UPDATE);
  stream.enqueue(note, 1, 0);
  stream.synchronize();
  stream.enqueue(gate, 1, 0);
  EXPECT_EQ(note.numbers.size(), 1U);
  gate.open.advance_to(1);
  stream.synchronize();
  EXPECT_EQ(gate.passed.value(), 1);
}

TEST(HostStream, RunsBesideAnotherStream) {
  Gate first;
  Gate second;
  HostStream a(StreamKind::COMP_1);
  HostStream b(StreamKind::COMP_3);
  a.enqueue(first, 1, 0);   // blocked
  b.enqueue(second, 1, 0);  // opens it
  second.open.advance_to(1);
  second.passed.wait_at_least(1);
  EXPECT_EQ(first.passed.value(), HostCounter::kNever);
  first.open.advance_to(1);
  a.synchronize();
}

TEST(HostStream, RunsWhatIsLeftBeforeItGoes) {
  Note note;
  {
    HostStream stream(StreamKind::TRANS);
    for (int number = 0; number < 50; ++number)
      stream.enqueue(note, number, 0);
  }
  EXPECT_EQ(note.numbers.size(), 50U);
}

}  // namespace
}  // namespace quintet

#include "profiler/wire/frame_sender.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "profiler/wire/batch_message.h"
#include "profiler/wire/frame.h"
#include "profiler/wire/trace_sender.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

using std::chrono::milliseconds;

class FrameSenderTest : public testing::Test {
 protected:
  FrameSenderTest() {
    std::signal(SIGPIPE, SIG_IGN);
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~FrameSenderTest() override {
    close_reader();
    close_writer();
  }
  FrameSenderTest(const FrameSenderTest&) = delete;
  FrameSenderTest& operator=(const FrameSenderTest&) = delete;

  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }
  [[nodiscard]] int writer() const { return ends_[1]; }

  /// Messages up to the end of the stream.
  std::vector<RpcNotification> read_all() {
    std::vector<RpcNotification> messages;
    FrameDecoder decoder;
    std::array<std::byte, 4096> block{};
    ssize_t got = 0;
    while ((got = read(ends_[0], block.data(), block.size())) > 0) {
      decoder.take(std::span(block).first(static_cast<std::size_t>(got)), [&](auto payload) {
        messages.push_back(std::get<RpcNotification>(decode(payload).value()));
      });
    }
    decoder.end();
    counts_ = decoder.counts();
    return messages;
  }

  FrameCounts counts_;

 private:
  void close_end(std::size_t end) {
    if (ends_.at(end) >= 0) close(std::exchange(ends_.at(end), -1));
  }
  std::array<int, 2> ends_ = {-1, -1};
};

RpcNotification note(std::int64_t number, std::size_t bytes = 0) {
  return {"log", {{"number", number}, {"text", std::string(bytes, 'x')}}};
}

TEST_F(FrameSenderTest, DeliversEverythingInOrder) {
  FrameSender sender(writer());
  std::vector<RpcNotification> messages;
  std::thread reader([&] { messages = read_all(); });
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(sender.send(note(i, 1000)));
  sender.close(milliseconds(60'000));
  close_writer();
  reader.join();
  ASSERT_EQ(messages.size(), 1000U);
  for (std::size_t i = 0; i < messages.size(); ++i)
    EXPECT_EQ(messages[i].params.at("number"), i);
}

TEST_F(FrameSenderTest, NeverWaitsForAReaderThatDoesNotRead) {
  FrameSender sender(writer(), {.droppable_bytes = 1'000'000, .all_bytes = 10'000'000});
  int sent = 0;
  while (sender.send_if_room(note(sent, 10'000)))
    ++sent;
  EXPECT_GE(sent, 90);
  EXPECT_LT(sent, 200);
  EXPECT_TRUE(sender.send(note(sent))) << "what must not be lost has room still";
  EXPECT_FALSE(sender.broken());
}

TEST_F(FrameSenderTest, GivesUpALinkThatTakesNothing) {
  FrameSender sender(writer(), {.droppable_bytes = 100'000, .all_bytes = 1'000'000});
  int sent = 0;
  while (sender.send(note(sent, 10'000)))
    ++sent;
  EXPECT_TRUE(sender.broken());
  EXPECT_LE(sent, 200);
}

TEST_F(FrameSenderTest, NoticesThatTheReaderHasGone) {
  FrameSender sender(writer());
  close_reader();
  while (sender.send(note(0)))
    std::this_thread::sleep_for(milliseconds(1));
  EXPECT_TRUE(sender.broken());
}

TEST_F(FrameSenderTest, ClosesInTimeThoughNobodyReads) {
  FrameSender sender(writer());
  for (int i = 0; i < 100; ++i)
    sender.send(note(i, 10'000));
  const auto begin = std::chrono::steady_clock::now();
  sender.close(milliseconds(200));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(5'000));
}

TEST_F(FrameSenderTest, RefusesAMessageLongerThanAFrame) {
  FrameSender sender(writer());
  EXPECT_FALSE(sender.send(note(0, kMostPayloadBytes)));
  EXPECT_FALSE(sender.broken());
}

TraceBatch large_batch(std::size_t spans) {
  TraceBatch batch = sample_step(0);
  for (std::size_t i = 0; i < spans; ++i)
    append_span(batch.spans, {static_cast<std::int64_t>(i), static_cast<std::int64_t>(i + 1)});
  return batch;
}

TEST_F(FrameSenderTest, ALargeBatchGoesInPieces) {
  FrameSender sender(writer());
  TraceSender trace(sender, 1);
  std::vector<RpcNotification> messages;
  std::thread reader([&] { messages = read_all(); });
  const TraceBatch batch = large_batch(200'000);
  trace.send_batch(batch);
  sender.close(milliseconds(60'000));
  close_writer();
  reader.join();
  ASSERT_EQ(messages.size(), 5U);
  TraceBatch arrived;
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
    Result<SpansMessage> message = SpansMessage::from_json(messages[i].params);
    ASSERT_TRUE(message) << message.error().message;
    EXPECT_EQ(message->sequence, static_cast<std::int64_t>(i));
    EXPECT_LE(message->batch.spans.size(), kMostSpansOfMessage);
    append(arrived, std::move(message->batch));
  }
  EXPECT_EQ(arrived.spans.begin_ns, batch.spans.begin_ns);
  EXPECT_EQ(arrived.spans.channel, batch.spans.channel);
  EXPECT_EQ(arrived.activities.size(), batch.activities.size());
  EXPECT_EQ(arrived.launches.size(), batch.launches.size());
  const Result<StepsMessage> steps = StepsMessage::from_json(messages.back().params);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->steps.size(), 1U);
}

TEST_F(FrameSenderTest, OnASlowLinkSpansAreLeftOutAndCountedAndStepsAreNot) {
  FrameSender sender(writer(), {.droppable_bytes = 500'000, .all_bytes = 50'000'000});
  TraceSender trace(sender, 1);
  constexpr int kBatches = 50;
  std::size_t spans = 0;
  for (int i = 0; i < kBatches; ++i) {  // nobody reads meanwhile
    TraceBatch batch = large_batch(5'000);
    spans += batch.spans.size() + batch.untimed.size();
    trace.send_batch(std::move(batch));
  }
  std::vector<RpcNotification> messages;
  std::thread reader([&] { messages = read_all(); });
  sender.close(milliseconds(60'000));
  close_writer();
  reader.join();
  std::size_t steps = 0;
  std::size_t activities = 0;
  std::size_t arrived = 0;
  for (const RpcNotification& message : messages) {
    if (message.method == "steps") {
      steps += StepsMessage::from_json(message.params).value().steps.size();
    } else {
      const SpansMessage read = SpansMessage::from_json(message.params).value();
      arrived += read.batch.spans.size() + read.batch.untimed.size();
      activities += read.batch.activities.size();
    }
  }
  EXPECT_EQ(steps, static_cast<std::size_t>(kBatches));
  EXPECT_EQ(activities, static_cast<std::size_t>(kBatches)) << "later spans need them";
  EXPECT_GT(trace.unsent_spans(), 0);
  EXPECT_GT(trace.unsent_rows(), 0);
  EXPECT_EQ(arrived + static_cast<std::size_t>(trace.unsent_spans()), spans);
}

}  // namespace
}  // namespace quintet

#include <gtest/gtest.h>
#include <random>
#include <string>

#include "profiler/wire/batch_message.h"
#include "profiler/wire/cbor_check.h"
#include "profiler/wire/plan_message.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

template <class Message>
Message sent_trace(const Message& message) {
  const std::vector<std::byte> payload =
      encode(RpcNotification{std::string(Message::kMethod), message.to_json()});
  const Result<RpcMessage> decoded = decode(payload);
  if (!decoded) throw std::runtime_error(decoded.error().message);
  const Result<Message> read = Message::from_json(std::get<RpcNotification>(*decoded).params);
  if (!read) throw std::runtime_error(read.error().message);
  return *read;
}

Trace growing_plan() {
  Trace plan = sample_plan();
  plan.state = RecordingState::growing;
  return plan;
}

TEST(TraceMessage, ATraceSentInPiecesIsTheTrace) {
  Trace trace = sent_trace(TaskGraphMessage{1, "a.qtrace", growing_plan()}).plan;
  for (std::int64_t step = 0; step < 4; ++step) {
    TraceBatch batch = sample_step(step);
    const std::vector<TraceStep> steps = std::exchange(batch.steps, {});
    TraceBatch arrived = sent_trace(SpansMessage{1, 2 * step, 0, 0, batch}).batch;
    arrived.steps = sent_trace(StepsMessage{1, 2 * step + 1, steps}).steps;
    append(trace, std::move(arrived));
  }
  trace.state = RecordingState::complete;
  EXPECT_EQ(describe(trace), describe(sample_trace(4)));
}

TEST(TraceMessage, KeepsWhatItSaysOfItself) {
  const SpansMessage message = sent_trace(SpansMessage{3, 17, 5, 6, sample_step(0)});
  EXPECT_EQ(message.run, 3);
  EXPECT_EQ(message.sequence, 17);
  EXPECT_EQ(message.unsent_spans, 5);
  EXPECT_EQ(message.unsent_rows, 6);
  EXPECT_EQ(sent_trace(TaskGraphMessage{3, "/there/a.qtrace", growing_plan()}).recording,
            "/there/a.qtrace");
}

TEST(TraceMessage, TakesFortySixBytesASpan) {
  TraceBatch batch;
  for (int i = 0; i < 10'000; ++i)
    append_span(batch.spans, {i, i + 1});
  const std::vector<std::byte> payload =
      encode(RpcNotification{"spans", SpansMessage{1, 0, 0, 0, std::move(batch)}.to_json()});
  EXPECT_LT(payload.size(), 46U * 10'000 + 1'000);
}

TEST(TraceMessage, ALossThatIsNotFiniteIsUnknown) {
  TraceStep step;
  step.loss = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(sent_trace(StepsMessage{1, 0, {step}}).steps.at(0).loss.has_value());
}

TEST(TraceMessage, RefusesIndicesThatPointNowhere) {
  const auto refuses = [](auto change) {
    Trace plan = growing_plan();
    change(plan);
    return !TaskGraphMessage::from_json(TaskGraphMessage{1, "", std::move(plan)}.to_json());
  };
  EXPECT_FALSE(refuses([](Trace&) {}));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.tasks[0].policy_lane = LaneId(3); }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.tasks[0].accesses[0].region = RegionId(3); }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.tasks[0].accesses[0].bytes = 1ULL << 61; }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.tasks[0].accesses[0].count = 0; }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.tensors[0].region = RegionId(3); }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.graphs[0].primary = LaneId(3); }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.graphs[0].tasks[1] = 3; }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.graphs[0].edges[0].to = 3; }));
  EXPECT_TRUE(refuses([](Trace& plan) { plan.lanes[1].id = LaneId(2); }));
}

TEST(TraceMessage, RefusesColumnsOfTheWrongLengthOrKind) {
  const WireJson whole = SpansMessage{1, 0, 0, 0, sample_step(0)}.to_json();
  ASSERT_TRUE(SpansMessage::from_json(whole));
  for (const char* table : {"spans", "untimed", "host_waits", "launches", "clocks"}) {
    for (const auto& [column, value] : whole.at(table).items()) {
      for (const WireJson& wrong :
           std::initializer_list<WireJson>{nullptr, -1, 1'000'000, 1LL << 40, "text",
                                           WireJson::array(), WireJson::binary({1, 2, 3})}) {
        if (column == "names" && wrong.is_array()) continue;  // no clocks: that may be
        WireJson changed = whole;
        changed[table][column] = wrong;
        EXPECT_FALSE(SpansMessage::from_json(changed)) << table << "." << column << " " << wrong;
      }
    }
  }
}

/// Puts any value into any place of a message, many times over: it is read or refused.
template <class Message>
void expect_any_change_survives(const WireJson& whole) {
  std::mt19937 random(11);
  for (int round = 0; round < 3'000; ++round) {
    WireJson changed = whole;
    WireJson* at = &changed;
    while (at->is_structured() && !at->empty() && random() % 5 != 0)
      at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(random() % at->size()));
    const std::array<WireJson, 8> values = {
        WireJson(nullptr), WireJson(-1),      WireJson(1e300),    WireJson(~0ULL),
        WireJson("x"),     WireJson::array(), WireJson::object(), WireJson::binary({1})};
    *at = values.at(random() % values.size());
    const Result<Message> read = Message::from_json(changed);
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
    }
  }
}

TEST(TraceMessage, AnyValueInAnyPlaceIsReadOrRefused) {
  expect_any_change_survives<TaskGraphMessage>(TaskGraphMessage{1, "", growing_plan()}.to_json());
  expect_any_change_survives<SpansMessage>(SpansMessage{1, 0, 0, 0, sample_step(0)}.to_json());
  expect_any_change_survives<StepsMessage>(StepsMessage{1, 0, sample_step(0).steps}.to_json());
}

}  // namespace
}  // namespace quintet

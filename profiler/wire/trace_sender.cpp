#include "profiler/wire/trace_sender.h"

#include <algorithm>
#include <utility>

#include "profiler/trace/span_columns.h"
#include "profiler/wire/batch_message.h"
#include "profiler/wire/plan_message.h"

namespace quintet {

namespace {

template <class Message>
RpcNotification notification_of(const Message& message) {
  return {std::string(Message::kMethod), message.to_json()};
}

template <class T>
std::vector<T> piece_of(const std::vector<T>& column, std::size_t first, std::size_t count) {
  const auto begin = column.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

SpanColumns piece_of(const SpanColumns& spans, std::size_t first, std::size_t count) {
  SpanColumns piece;
  for_each_column([&](auto& to, const auto& from) { to = piece_of(from, first, count); }, piece,
                  spans);
  return piece;
}

bool has_tables(const TraceBatch& batch) {
  return !batch.lanes.empty() || !batch.tasks.empty() || !batch.activities.empty() ||
         !batch.clocks.empty() || !batch.lane_clocks.empty() || !batch.clock_pairs.empty();
}

bool has_rows(const TraceBatch& batch) {
  return batch.spans.size() > 0 || !batch.untimed.empty() || !batch.host_waits.empty() ||
         !batch.launches.empty();
}

}  // namespace

bool TraceSender::send_plan(const Trace& plan, const std::string& recording) {
  TaskGraphMessage message{run_, recording, plan};
  // What a trace holds beside its plan is for batches to tell.
  message.plan.spans = {};
  message.plan.steps.clear();
  return link_.send(notification_of(message));
}

void TraceSender::send_batch(TraceBatch batch) {
  std::vector<TraceStep> steps = std::exchange(batch.steps, {});
  if (has_tables(batch) || has_rows(batch)) send_spans(std::move(batch));
  if (steps.empty()) return;
  link_.send(notification_of(StepsMessage{run_, sequence_++, std::move(steps)}));
}

void TraceSender::send_spans(TraceBatch batch) {
  const SpanColumns spans = std::exchange(batch.spans, {});
  std::size_t sent = 0;
  // The first message brings everything but most of the spans; later ones bring those.
  do {
    const std::size_t count = std::min(spans.size() - sent, kMostSpansOfMessage);
    if (link_.has_room()) {
      batch.spans = piece_of(spans, sent, count);
    } else {
      unsent_spans_ += static_cast<std::int64_t>(count + batch.untimed.size());
      unsent_rows_ += static_cast<std::int64_t>(batch.host_waits.size() + batch.launches.size());
      batch.untimed.clear();
      batch.host_waits.clear();
      batch.launches.clear();
    }
    if (has_tables(batch) || has_rows(batch)) {
      const SpansMessage message{run_, sequence_++, unsent_spans_, unsent_rows_, std::move(batch)};
      link_.send(notification_of(message));
    }
    batch = {};
    sent += count;
  } while (sent < spans.size());
}

}  // namespace quintet

#include "profiler/trace/batch_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "profiler/trace/batch_check.h"
#include "profiler/trace/clock_tables.h"
#include "profiler/trace/plan_tables.h"
#include "profiler/trace/span_columns.h"
#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

static_assert(std::endian::native == std::endian::little, "column blobs are little-endian");

bool is_step_number(std::int64_t step) {
  return step >= -1 && step <= std::numeric_limits<std::int32_t>::max();
}

void write_spans(Database& database, const SpanColumns& spans) {
  if (spans.size() == 0) return;
  const auto [first_step, last_step] = std::minmax_element(spans.step.begin(), spans.step.end());
  database
      .prepare(
          "INSERT INTO span_batches(spans, first_begin_ns, last_end_ns, first_step, last_step, "
          "begin_ns, end_ns, cpu_ns, task, step, lane, executor_lane, activity, correlation, "
          "channel) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(spans.size(), spans.begin_ns.front(),
           *std::max_element(spans.end_ns.begin(), spans.end_ns.end()), *first_step, *last_step,
           spans.begin_ns, spans.end_ns, spans.cpu_ns, spans.task, spans.step, spans.lane,
           spans.executor_lane, spans.activity, spans.correlation, spans.channel);
}

template <class T>
bool append_column(std::vector<T>& column, std::span<const std::byte> blob, std::size_t count) {
  if (blob.size() != count * sizeof(T)) return false;
  const std::size_t at = column.size();
  column.resize(at + count);
  if (!blob.empty()) std::memcpy(column.data() + at, blob.data(), blob.size());
  return true;
}

void reserve(SpanColumns& spans, std::size_t size) {
  for_each_column([size](auto& column) { column.reserve(size); }, spans);
}

void read_spans(Database& database, Trace& trace, ChecksumReader& checks, std::uint64_t most_spans,
                const BatchPosition& after) {
  SpanColumns& spans = trace.spans;
  Statement total = database.prepare("SELECT total(spans) FROM span_batches WHERE id > ?");
  total.bind_all(after.spans);
  const std::int64_t announced = total.step() ? total.integer(0) : 0;
  reserve(spans,
          std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(announced, 0)), most_spans));
  std::int64_t dropped = 0;
  Statement query = database.prepare(
      "SELECT id, spans, first_begin_ns, last_end_ns, first_step, last_step, begin_ns, end_ns, "
      "cpu_ns, task, step, lane, executor_lane, activity, correlation, channel FROM span_batches "
      "WHERE id > ? ORDER BY id");
  query.bind_all(after.spans);
  CheckedRows rows(checks, "span_batches", std::move(query), after.checksums);
  const Statement& row = rows.row();
  constexpr int kFirstColumn = 6;
  while (rows.step()) {
    const std::size_t first = spans.size();
    // The length of the first column counts: it is what is really there.
    const std::size_t count = row.blob(kFirstColumn).size() / sizeof(std::int64_t);
    bool whole = row.integer(1) == static_cast<std::int64_t>(count);
    int at = kFirstColumn;
    for_each_column(
        [&](auto& column) { whole = whole && append_column(column, row.blob(at++), count); },
        spans);
    if (!whole) {
      resize(spans, first);
      dropped += static_cast<std::int64_t>(std::max<std::size_t>(count, 1));
      continue;
    }
    dropped += drop_senseless(trace, spans, first);
  }
  // All at once: merged batch by batch, one late span a batch would move everything each time.
  sort_spans(spans);
  if (dropped > 0) {
    trace.findings.push_back({Severity::data_loss, "damaged_spans",
                              fmt::format("{} spans make no sense and were left out", dropped),
                              dropped});
  }
}

void write_steps(Database& database, const std::vector<TraceStep>& steps) {
  Statement insert = database.prepare(
      "INSERT INTO steps(step, phase, shape, slot, batch, begin_ns, end_ns, loss, correct, "
      "learning_rate, recording) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const TraceStep& step : steps) {
    insert.run(step.step, step.phase, step.shape, step.slot, step.batch, step.begin_ns, step.end_ns,
               step.loss, step.correct, step.learning_rate, name_of(step.recording));
  }
}

std::optional<StepRecording> recording_of(const std::string& word) {
  for (const StepRecording recording : kStepRecordings) {
    if (name_of(recording) == word) return recording;
  }
  return std::nullopt;
}

std::int64_t read_steps(Database& database, Trace& trace, ChecksumReader& checks,
                        const BatchPosition& after) {
  std::int64_t dropped = 0;
  Statement query = database.prepare(
      "SELECT id, step, phase, shape, slot, batch, begin_ns, end_ns, loss, correct, "
      "learning_rate, recording FROM steps WHERE id > ? ORDER BY id");
  query.bind_all(after.steps);
  CheckedRows rows(checks, "steps", std::move(query), after.checksums);
  const Statement& row = rows.row();
  while (rows.step()) {
    TraceStep step;
    step.step = row.integer(1);
    step.phase = row.text(2);
    step.shape = row.text(3);
    step.slot = row.text(4);
    step.batch = row.integer(5);
    step.begin_ns = row.integer(6);
    step.end_ns = row.integer(7);
    if (!row.is_null(8) && std::isfinite(row.real(8))) step.loss = row.real(8);
    if (!row.is_null(9)) step.correct = row.integer(9);
    if (std::isfinite(row.real(10))) step.learning_rate = row.real(10);
    const std::optional<StepRecording> recording = recording_of(row.text(11));
    if (recording) step.recording = *recording;
    if (recording && is_step_number(step.step) && sensible_times(step.begin_ns, step.end_ns)) {
      trace.steps.push_back(std::move(step));
    } else {
      ++dropped;
    }
  }
  return dropped;
}

void write_host(Database& database, const TraceBatch& batch) {
  Statement wait = database.prepare(
      "INSERT INTO host_waits(lane, step, kind, target, begin_ns, end_ns) "
      "VALUES (?, ?, ?, ?, ?, ?)");
  for (const TraceHostWait& w : batch.host_waits)
    wait.run(w.lane.value(), w.step, w.kind, w.target, w.begin_ns, w.end_ns);
  Statement launch = database.prepare(
      "INSERT INTO launches(graph, lane, step, begin_ns, end_ns, correlation) "
      "VALUES (?, ?, ?, ?, ?, ?)");
  for (const TraceLaunch& l : batch.launches)
    launch.run(l.graph, l.lane.value(), l.step, l.begin_ns, l.end_ns, l.correlation);
}

std::int64_t read_host(Database& database, Trace& trace, ChecksumReader& checks,
                       const BatchPosition& after) {
  std::int64_t dropped = 0;
  const auto in = [](std::int64_t index, std::size_t size) {
    return index >= 0 && static_cast<std::uint64_t>(index) < size;
  };
  Statement wait_query = database.prepare(
      "SELECT id, lane, step, kind, target, begin_ns, end_ns FROM host_waits WHERE id > ? "
      "ORDER BY id");
  wait_query.bind_all(after.host_waits);
  CheckedRows waits(checks, "host_waits", std::move(wait_query), after.checksums);
  const Statement& wait = waits.row();
  while (waits.step()) {
    if (!in(wait.integer(1), trace.lanes.size()) || !is_step_number(wait.integer(2)) ||
        !sensible_times(wait.integer(5), wait.integer(6))) {
      ++dropped;
      continue;
    }
    trace.host_waits.push_back({LaneId(static_cast<std::uint32_t>(wait.integer(1))),
                                static_cast<std::int32_t>(wait.integer(2)), wait.text(3),
                                wait.text(4), wait.integer(5), wait.integer(6)});
  }
  Statement launch_query = database.prepare(
      "SELECT id, graph, lane, step, begin_ns, end_ns, correlation FROM launches WHERE id > ? "
      "ORDER BY id");
  launch_query.bind_all(after.launches);
  CheckedRows launches(checks, "launches", std::move(launch_query), after.checksums);
  const Statement& launch = launches.row();
  while (launches.step()) {
    if (!in(launch.integer(1), trace.graphs.size()) || !in(launch.integer(2), trace.lanes.size()) ||
        !is_step_number(launch.integer(3)) ||
        !sensible_times(launch.integer(4), launch.integer(5))) {
      ++dropped;
      continue;
    }
    trace.launches.push_back({static_cast<std::uint32_t>(launch.integer(1)),
                              LaneId(static_cast<std::uint32_t>(launch.integer(2))),
                              static_cast<std::int32_t>(launch.integer(3)), launch.integer(4),
                              launch.integer(5), static_cast<std::uint32_t>(launch.integer(6))});
  }
  return dropped;
}

void write_untimed(Database& database, const std::vector<TraceUntimed>& untimed) {
  Statement insert = database.prepare(
      "INSERT INTO untimed(task, step, lane, executor_lane, activity, correlation, raw_begin_ns, "
      "raw_end_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const TraceUntimed& u : untimed) {
    insert.run(u.task, u.step, u.lane, u.executor_lane, u.activity, u.correlation, u.raw_begin_ns,
               u.raw_end_ns);
  }
}

std::int64_t read_untimed(Database& database, Trace& trace, ChecksumReader& checks,
                          const BatchPosition& after) {
  std::int64_t dropped = 0;
  const auto in = [](std::int64_t index, std::size_t size) {
    return index >= 0 && static_cast<std::uint64_t>(index) < size;
  };
  Statement query = database.prepare(
      "SELECT id, task, step, lane, executor_lane, activity, correlation, raw_begin_ns, "
      "raw_end_ns FROM untimed WHERE id > ? ORDER BY id");
  query.bind_all(after.untimed);
  CheckedRows rows(checks, "untimed", std::move(query), after.checksums);
  const Statement& row = rows.row();
  while (rows.step()) {
    if (!in(row.integer(1), trace.tasks.size()) || !is_step_number(row.integer(2)) ||
        !in(row.integer(3), trace.lanes.size()) || !in(row.integer(4), trace.lanes.size()) ||
        !in(row.integer(5), trace.activities.size())) {
      ++dropped;
      continue;
    }
    trace.untimed.push_back(
        {static_cast<std::uint32_t>(row.integer(1)), static_cast<std::int32_t>(row.integer(2)),
         static_cast<std::uint16_t>(row.integer(3)), static_cast<std::uint16_t>(row.integer(4)),
         static_cast<std::uint32_t>(row.integer(5)), static_cast<std::uint32_t>(row.integer(6)),
         row.integer(7), row.integer(8)});
  }
  return dropped;
}

}  // namespace

void write_batch(Database& database, const TraceBatch& batch) {
  append_plan(database, batch);
  write_spans(database, batch.spans);
  write_steps(database, batch.steps);
  write_host(database, batch);
  write_untimed(database, batch.untimed);
  write_clocks(database, batch);
}

BatchPosition batch_position(Database& database) {
  const auto newest = [&](const char* table) {
    return database.integer(fmt::format("SELECT coalesce(max(id), 0) FROM {}", table));
  };
  return {newest("span_batches"), newest("steps"),   newest("host_waits"),
          newest("launches"),     newest("untimed"), newest_checksum(database)};
}

void read_batches(Database& database, Trace& trace, ChecksumReader& checks,
                  std::uint64_t most_spans, const BatchPosition& after) {
  read_spans(database, trace, checks, most_spans, after);
  const std::int64_t dropped =
      read_steps(database, trace, checks, after) + read_host(database, trace, checks, after) +
      read_untimed(database, trace, checks, after) + read_clocks(database, trace, checks);
  if (dropped > 0) {
    trace.findings.push_back(
        {Severity::data_loss, "damaged_rows",
         fmt::format(
             "{} steps, waits, launches, untimed activities or clock readings make no sense and "
             "were left out",
             dropped),
         dropped});
  }
}

}  // namespace quintet

#include "profiler/wire/batch_message.h"

#include <array>
#include <map>
#include <string>

#include "profiler/wire/activity_json.h"
#include "profiler/wire/field_reader.h"
#include "profiler/wire/plan_message.h"

namespace quintet {

namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 20;

std::size_t row_count(FieldReader& reader) {
  return static_cast<std::size_t>(reader.integer("count", 0, kMostRows));
}

/// One column of a list of structs.
template <class Number, class Row, class Get>
WireJson column_of(const std::vector<Row>& rows, Get get) {
  std::vector<Number> numbers;
  numbers.reserve(rows.size());
  for (const Row& row : rows)
    numbers.push_back(static_cast<Number>(get(row)));
  return column_json(numbers);
}

WireJson spans_json(const SpanColumns& spans) {
  return {{"count", spans.size()},
          {"begin_ns", column_json(spans.begin_ns)},
          {"end_ns", column_json(spans.end_ns)},
          {"cpu_ns", column_json(spans.cpu_ns)},
          {"task", column_json(spans.task)},
          {"step", column_json(spans.step)},
          {"lane", column_json(spans.lane)},
          {"executor_lane", column_json(spans.executor_lane)},
          {"activity", column_json(spans.activity)},
          {"correlation", column_json(spans.correlation)},
          {"channel", column_json(spans.channel)}};
}

SpanColumns read_spans(FieldReader& reader) {
  const std::size_t count = row_count(reader);
  SpanColumns spans;
  spans.begin_ns = reader.column<std::int64_t>("begin_ns", count);
  spans.end_ns = reader.column<std::int64_t>("end_ns", count);
  spans.cpu_ns = reader.column<std::int64_t>("cpu_ns", count);
  spans.task = reader.column<std::uint32_t>("task", count);
  spans.step = reader.column<std::int32_t>("step", count);
  spans.lane = reader.column<std::uint16_t>("lane", count);
  spans.executor_lane = reader.column<std::uint16_t>("executor_lane", count);
  spans.activity = reader.column<std::uint32_t>("activity", count);
  spans.correlation = reader.column<std::uint32_t>("correlation", count);
  spans.channel = reader.column<std::uint16_t>("channel", count);
  return spans;
}

WireJson untimed_json(const std::vector<TraceUntimed>& rows) {
  using Row = TraceUntimed;
  const auto column = [&]<class Number>(Number Row::*member) {
    return column_of<Number>(rows, [member](const Row& row) { return row.*member; });
  };
  return {{"count", rows.size()},
          {"task", column(&Row::task)},
          {"step", column(&Row::step)},
          {"lane", column(&Row::lane)},
          {"executor_lane", column(&Row::executor_lane)},
          {"activity", column(&Row::activity)},
          {"correlation", column(&Row::correlation)},
          {"raw_begin_ns", column(&Row::raw_begin_ns)},
          {"raw_end_ns", column(&Row::raw_end_ns)}};
}

std::vector<TraceUntimed> read_untimed(FieldReader& reader) {
  std::vector<TraceUntimed> rows(row_count(reader));
  const auto fill = [&]<class Number>(const char* key, Number TraceUntimed::*member) {
    const std::vector<Number> numbers = reader.column<Number>(key, rows.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      rows[i].*member = numbers[i];
  };
  fill("task", &TraceUntimed::task);
  fill("step", &TraceUntimed::step);
  fill("lane", &TraceUntimed::lane);
  fill("executor_lane", &TraceUntimed::executor_lane);
  fill("activity", &TraceUntimed::activity);
  fill("correlation", &TraceUntimed::correlation);
  fill("raw_begin_ns", &TraceUntimed::raw_begin_ns);
  fill("raw_end_ns", &TraceUntimed::raw_end_ns);
  return rows;
}

/// Words that repeat in every row, each sent once.
class WordTable {
 public:
  std::uint32_t index_of(const std::string& word) {
    const auto [entry, fresh] = index_.emplace(word, static_cast<std::uint32_t>(words_.size()));
    if (fresh) words_.push_back(word);
    return entry->second;
  }
  [[nodiscard]] const WireJson& json() const { return words_; }

 private:
  std::map<std::string, std::uint32_t> index_;
  WireJson words_ = WireJson::array();
};

WireJson waits_json(const std::vector<TraceHostWait>& waits) {
  using Row = TraceHostWait;
  WordTable words;
  WireJson json = {
      {"count", waits.size()},
      {"lane", column_of<std::uint32_t>(waits, [](const Row& w) { return w.lane.value(); })},
      {"step", column_of<std::int32_t>(waits, [](const Row& w) { return w.step; })},
      {"kind",
       column_of<std::uint32_t>(waits, [&](const Row& w) { return words.index_of(w.kind); })},
      {"target",
       column_of<std::uint32_t>(waits, [&](const Row& w) { return words.index_of(w.target); })},
      {"begin_ns", column_of<std::int64_t>(waits, [](const Row& w) { return w.begin_ns; })},
      {"end_ns", column_of<std::int64_t>(waits, [](const Row& w) { return w.end_ns; })}};
  json["words"] = words.json();
  return json;
}

std::vector<TraceHostWait> read_waits(FieldReader& reader) {
  const std::size_t count = row_count(reader);
  const std::vector<std::string> words = reader.texts("words");
  const auto lane = reader.column<std::uint32_t>("lane", count);
  const auto step = reader.column<std::int32_t>("step", count);
  const auto kind = reader.column<std::uint32_t>("kind", count);
  const auto target = reader.column<std::uint32_t>("target", count);
  const auto begin = reader.column<std::int64_t>("begin_ns", count);
  const auto end = reader.column<std::int64_t>("end_ns", count);
  std::vector<TraceHostWait> waits;
  for (std::size_t i = 0; i < count && reader.fine(); ++i) {
    if (kind[i] >= words.size() || target[i] >= words.size()) {
      reader.refuse("words", "are fewer than named");
      break;
    }
    waits.push_back({LaneId(lane[i]), step[i], words[kind[i]], words[target[i]], begin[i], end[i]});
  }
  return waits;
}

WireJson launches_json(const std::vector<TraceLaunch>& rows) {
  using Row = TraceLaunch;
  return {
      {"count", rows.size()},
      {"graph", column_of<std::uint32_t>(rows, [](const Row& l) { return l.graph; })},
      {"lane", column_of<std::uint32_t>(rows, [](const Row& l) { return l.lane.value(); })},
      {"step", column_of<std::int32_t>(rows, [](const Row& l) { return l.step; })},
      {"begin_ns", column_of<std::int64_t>(rows, [](const Row& l) { return l.begin_ns; })},
      {"end_ns", column_of<std::int64_t>(rows, [](const Row& l) { return l.end_ns; })},
      {"correlation", column_of<std::uint32_t>(rows, [](const Row& l) { return l.correlation; })}};
}

std::vector<TraceLaunch> read_launches(FieldReader& reader) {
  const std::size_t count = row_count(reader);
  const auto graph = reader.column<std::uint32_t>("graph", count);
  const auto lane = reader.column<std::uint32_t>("lane", count);
  const auto step = reader.column<std::int32_t>("step", count);
  const auto begin = reader.column<std::int64_t>("begin_ns", count);
  const auto end = reader.column<std::int64_t>("end_ns", count);
  const auto correlation = reader.column<std::uint32_t>("correlation", count);
  std::vector<TraceLaunch> launches;
  for (std::size_t i = 0; i < count && reader.fine(); ++i)
    launches.push_back({graph[i], LaneId(lane[i]), step[i], begin[i], end[i], correlation[i]});
  return launches;
}

WireJson clocks_json(const TraceBatch& batch) {
  using Lane = TraceLaneClock;
  using Pair = TraceClockPair;
  const std::vector<Pair>& pairs = batch.clock_pairs;
  WireJson names = WireJson::array();
  for (const TraceClock& clock : batch.clocks)
    names.push_back(clock.name);
  return {
      {"names", std::move(names)},
      {"lane_count", batch.lane_clocks.size()},
      {"lane", column_of<std::uint16_t>(batch.lane_clocks, [](const Lane& l) { return l.lane; })},
      {"lane_clock",
       column_of<std::uint16_t>(batch.lane_clocks, [](const Lane& l) { return l.clock; })},
      {"pair_count", pairs.size()},
      {"pair_clock", column_of<std::uint16_t>(pairs, [](const Pair& p) { return p.clock; })},
      {"clock_ns", column_of<std::int64_t>(pairs, [](const Pair& p) { return p.clock_ns; })},
      {"trace_ns", column_of<std::int64_t>(pairs, [](const Pair& p) { return p.trace_ns; })},
      {"width_ns", column_of<std::int64_t>(pairs, [](const Pair& p) { return p.width_ns; })}};
}

void read_clocks(FieldReader& reader, TraceBatch& batch) {
  for (std::string& name : reader.texts("names"))
    batch.clocks.push_back({std::move(name)});
  const auto lanes = static_cast<std::size_t>(reader.integer("lane_count", 0, kMostRows));
  const auto lane = reader.column<std::uint16_t>("lane", lanes);
  const auto lane_clock = reader.column<std::uint16_t>("lane_clock", lanes);
  const auto pairs = static_cast<std::size_t>(reader.integer("pair_count", 0, kMostRows));
  const auto pair_clock = reader.column<std::uint16_t>("pair_clock", pairs);
  const auto clock_ns = reader.column<std::int64_t>("clock_ns", pairs);
  const auto trace_ns = reader.column<std::int64_t>("trace_ns", pairs);
  const auto width_ns = reader.column<std::int64_t>("width_ns", pairs);
  if (!reader.fine()) return;
  for (std::size_t i = 0; i < lanes; ++i)
    batch.lane_clocks.push_back({lane[i], lane_clock[i]});
  for (std::size_t i = 0; i < pairs; ++i)
    batch.clock_pairs.push_back({pair_clock[i], clock_ns[i], trace_ns[i], width_ns[i]});
}

}  // namespace

WireJson SpansMessage::to_json() const {
  return {{"run", run},
          {"sequence", sequence},
          {"unsent_spans", unsent_spans},
          {"unsent_rows", unsent_rows},
          {"lanes", lanes_json(batch.lanes)},
          {"tasks", tasks_json(batch.tasks)},
          {"activities", activities_json(batch.activities)},
          {"spans", spans_json(batch.spans)},
          {"untimed", untimed_json(batch.untimed)},
          {"host_waits", waits_json(batch.host_waits)},
          {"launches", launches_json(batch.launches)},
          {"clocks", clocks_json(batch)}};
}

Result<SpansMessage> SpansMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  SpansMessage message;
  message.run = reader.integer("run", 1);
  message.sequence = reader.integer("sequence", 0);
  message.unsent_spans = reader.integer("unsent_spans", 0);
  message.unsent_rows = reader.integer("unsent_rows", 0);
  TraceBatch& batch = message.batch;
  batch.lanes = read_lanes(reader, "lanes");
  batch.tasks = read_tasks(reader, "tasks");
  batch.activities = read_activities(reader, "activities");
  reader.object("spans", [&](FieldReader& columns) { batch.spans = read_spans(columns); });
  reader.object("untimed", [&](FieldReader& columns) { batch.untimed = read_untimed(columns); });
  reader.object("host_waits",
                [&](FieldReader& columns) { batch.host_waits = read_waits(columns); });
  reader.object("launches", [&](FieldReader& columns) { batch.launches = read_launches(columns); });
  reader.object("clocks", [&](FieldReader& columns) { read_clocks(columns, batch); });
  return reader.result(std::move(message));
}

WireJson StepsMessage::to_json() const {
  WireJson list = WireJson::array();
  for (const TraceStep& step : steps) {
    list.push_back({{"step", step.step},
                    {"phase", step.phase},
                    {"shape", step.shape},
                    {"slot", step.slot},
                    {"batch", step.batch},
                    {"begin_ns", step.begin_ns},
                    {"end_ns", step.end_ns},
                    {"loss", finite_or_null(step.loss)},
                    {"correct", or_null(step.correct)},
                    {"learning_rate", finite_or_null(step.learning_rate)},
                    {"recording", name_of(step.recording)}});
  }
  return {{"run", run}, {"sequence", sequence}, {"steps", std::move(list)}};
}

Result<StepsMessage> StepsMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  StepsMessage message;
  message.run = reader.integer("run", 1);
  message.sequence = reader.integer("sequence", 0);
  reader.objects("steps", [&](FieldReader& row) {
    TraceStep step;
    step.step = row.integer("step");
    step.phase = row.text("phase");
    step.shape = row.text("shape");
    step.slot = row.text("slot");
    step.batch = row.integer("batch");
    step.begin_ns = row.integer("begin_ns");
    step.end_ns = row.integer("end_ns");
    step.loss = row.optional_real("loss");
    step.correct = row.optional_integer("correct");
    step.learning_rate = row.optional_real("learning_rate").value_or(0);
    step.recording = row.word("recording", kStepRecordings);
    message.steps.push_back(std::move(step));
  });
  return reader.result(std::move(message));
}

}  // namespace quintet

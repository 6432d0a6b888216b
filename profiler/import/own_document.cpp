#include "profiler/import/own_document.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "profiler/import/chrome_event.h"
#include "profiler/import/decimal_time.h"
#include "profiler/import/json_text.h"

namespace quintet {

namespace {

/// More lanes than a trace can have are no table of ours.
constexpr std::size_t kMostLanes = std::numeric_limits<std::uint16_t>::max();

JsonStatus read_string(JsonCursor& cursor, std::string& into) {
  if (cursor.peek() != '"') return cursor.skip_value();
  JsonString text;
  const JsonStatus status = cursor.string(text);
  std::string scratch;
  if (status == JsonStatus::ok) into = text_of(text, scratch);
  return status;
}

JsonStatus read_whole(JsonCursor& cursor, std::optional<std::int64_t>& into) {
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  if (status == JsonStatus::ok) into = signed_from(text);
  return status;
}

template <class Values>
auto named(const Values& values, std::string_view text) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [text](const auto value) { return name_of(value) == text; });
  return found == values.end() ? std::nullopt : std::optional(*found);
}

/// The members of a lane as their text tells them.
struct LaneText {
  std::string name, kind, role;
  std::optional<std::int64_t> device, rank, process, context, number;
};

std::optional<OwnLane> lane_of(const LaneText& text) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto small = [](const std::optional<std::int64_t>& number) {
    return number && *number >= 0 && *number <= kMost;
  };
  if (!small(text.device) || !small(text.rank)) return std::nullopt;
  OwnLane lane;
  lane.name = text.name;
  lane.device = static_cast<int>(*text.device);
  lane.rank = static_cast<int>(*text.rank);
  lane.steps = text.kind == "steps";
  const auto kind = named(kLaneKinds, text.kind);
  if (!kind && !lane.steps) return std::nullopt;
  if (kind) lane.kind = *kind;
  if (text.role.empty()) return lane;
  const auto role = named(kLaneRoles, text.role);
  if (!role || !text.number) return std::nullopt;
  lane.origin = {0, *role, text.process.value_or(0), text.context.value_or(0), *text.number};
  return lane;
}

JsonStatus read_lane(JsonCursor& cursor, LaneText& text) {
  if (cursor.peek() != '{') return cursor.skip_value();
  return cursor.object([&](std::string_view key) {
    if (key == "name") return read_string(cursor, text.name);
    if (key == "kind") return read_string(cursor, text.kind);
    if (key == "role") return read_string(cursor, text.role);
    if (key == "device") return read_whole(cursor, text.device);
    if (key == "rank") return read_whole(cursor, text.rank);
    if (key == "process") return read_whole(cursor, text.process);
    if (key == "context") return read_whole(cursor, text.context);
    if (key == "number") return read_whole(cursor, text.number);
    return cursor.skip_value();
  });
}

JsonStatus read_finding(JsonCursor& cursor, std::vector<Finding>& findings) {
  constexpr std::size_t kMostFindings = 1000;
  Finding finding;
  std::string severity;
  std::optional<std::int64_t> count;
  if (cursor.peek() != '{') return cursor.skip_value();
  const JsonStatus status = cursor.object([&](std::string_view key) {
    if (key == "severity") return read_string(cursor, severity);
    if (key == "name") return read_string(cursor, finding.name);
    if (key == "message") return read_string(cursor, finding.message);
    if (key == "count") return read_whole(cursor, count);
    return cursor.skip_value();
  });
  const auto known = named(kSeverities, severity);
  const bool sensible = known && count && *count > 0 && !finding.name.empty();
  if (status != JsonStatus::ok || !sensible || findings.size() == kMostFindings) return status;
  finding.severity = *known;
  finding.count = *count;
  findings.push_back(std::move(finding));
  return status;
}

JsonStatus read_provenance(JsonCursor& cursor, Provenance& provenance) {
  if (cursor.peek() != '{') return cursor.skip_value();
  return cursor.object([&](std::string_view key) {
    std::string value;
    const JsonStatus status = read_string(cursor, value);
    if (status == JsonStatus::ok) provenance.emplace(key, std::move(value));
    return status;
  });
}

}  // namespace

JsonStatus read_own_step(JsonCursor& cursor, std::optional<TraceStep>& step) {
  step.reset();
  if (cursor.peek() != '{') return cursor.skip_value();
  TraceStep read;
  std::optional<std::int64_t> number;
  DecimalTime begin;
  DecimalTime duration;
  std::string recording;
  const auto read_arg = [&](std::string_view key) {
    std::optional<std::int64_t> whole;
    if (key == "step") return read_whole(cursor, number);
    if (key == "phase") return read_string(cursor, read.phase);
    if (key == "shape") return read_string(cursor, read.shape);
    if (key == "slot") return read_string(cursor, read.slot);
    if (key == "recording") return read_string(cursor, recording);
    if (key == "correct") return read_whole(cursor, read.correct);
    if (key == "loss") return read_real(cursor, read.loss);
    if (key == "batch") {
      const JsonStatus status = read_whole(cursor, whole);
      read.batch = whole.value_or(0);
      return status;
    }
    if (key != "learning rate") return cursor.skip_value();
    std::optional<double> rate;
    const JsonStatus status = read_real(cursor, rate);
    read.learning_rate = rate.value_or(0);
    return status;
  };
  const JsonStatus status = cursor.object([&](std::string_view key) {
    if (key == "ts") return read_time(cursor, begin);
    if (key == "dur") return read_time(cursor, duration);
    if (key != "args" || cursor.peek() != '{') return cursor.skip_value();
    return cursor.object(read_arg);
  });
  const auto known = named(kStepRecordings, recording);
  if (status != JsonStatus::ok || !number || !known) return status;
  if (begin.state != DecimalTime::State::known || duration.state != DecimalTime::State::known)
    return status;
  read.step = *number;
  read.recording = *known;
  read.begin_ns = begin.ns;
  if (!__builtin_add_overflow(begin.ns, duration.ns, &read.end_ns)) step = std::move(read);
  return status;
}

JsonStatus read_own_document(JsonCursor& cursor, OwnDocument& document) {
  if (cursor.peek() != '{') return cursor.skip_value();
  OwnDocument read;
  bool sensible = true;
  const JsonStatus status = cursor.object([&](std::string_view key) {
    if (key == "provenance") return read_provenance(cursor, read.provenance);
    if (key == "findings") {
      if (cursor.peek() != '[') return cursor.skip_value();
      return cursor.array([&] { return read_finding(cursor, read.findings); });
    }
    if (key != "lanes" || cursor.peek() != '[') return cursor.skip_value();
    return cursor.array([&] {
      LaneText text;
      const JsonStatus lane_status = read_lane(cursor, text);
      if (lane_status != JsonStatus::ok) return lane_status;
      std::optional<OwnLane> lane = lane_of(text);
      sensible = sensible && lane && read.lanes.size() < kMostLanes;
      if (sensible) read.lanes.push_back(std::move(*lane));
      return lane_status;
    });
  });
  if (status == JsonStatus::ok && sensible) document = std::move(read);
  return status;
}

}  // namespace quintet

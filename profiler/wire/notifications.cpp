#include "profiler/wire/notifications.h"

#include <array>
#include <cmath>
#include <utility>

#include "profiler/wire/field_reader.h"
#include "profiler/wire/plan_message.h"

namespace quintet {

namespace {

constexpr std::array kPhases = {RunPhase::preparing, RunPhase::timing, RunPhase::training,
                                RunPhase::finishing};
static_assert(kPhases.size() == kRunPhaseCount);
constexpr std::array kLogSeverities = {Severity::info, Severity::notice, Severity::data_loss,
                                       Severity::error};
constexpr std::array kMetricStates = {MetricState::known, MetricState::absent,
                                      MetricState::unknown};
constexpr std::int64_t kMostValues = std::int64_t{1} << 22;

WireJson metric_json_of(const MetricValue& metric) {
  const MetricDefinition& definition = metric.definition;
  WireJson json = {{"tag", definition.tag},
                   {"name", definition.name},
                   {"description", definition.description},
                   {"formula", definition.formula},
                   {"hint", name_of(definition.hint)},
                   {"state", name_of(metric.state)}};
  if (metric.known()) {
    json["value"] = metric.value;
    json["over_steps_count"] = metric.over_steps.size();
    json["over_steps"] = column_json(metric.over_steps);
    if (metric.spread) json["spread"] = {{"p05", metric.spread->p05}, {"p95", metric.spread->p95}};
  } else {
    json["reason"] = metric.reason;
  }
  return json;
}

MetricValue read_metric(FieldReader& row) {
  MetricValue metric;
  metric.definition = {row.text("tag"), row.text("name"), row.text("description"),
                       row.text("formula"), row.word("hint", kMetricHints)};
  metric.state = row.word("state", kMetricStates);
  if (!metric.known()) {
    metric.reason = row.text("reason");
    return metric;
  }
  metric.value = row.real("value");
  const auto count = static_cast<std::size_t>(row.integer("over_steps_count", 0, kMostValues));
  metric.over_steps = row.column<double>("over_steps", count);
  for (const double value : metric.over_steps) {
    if (!std::isfinite(value)) row.refuse("over_steps", "hold what is no finite number");
  }
  if (row.find("spread") != nullptr) {
    row.object("spread", [&](FieldReader& spread) {
      metric.spread = {spread.real("p05"), spread.real("p95")};
    });
  }
  return metric;
}

Error read_error(FieldReader& reader, const char* key) {
  Error error;
  reader.object(key, [&](FieldReader& fields) {
    error.message = fields.text("message");
    error.cure = fields.optional_text("cure");
    error.file = fields.optional_text("file");
    error.line = static_cast<int>(
        fields.optional_integer("line", 0, std::numeric_limits<int>::max()).value_or(0));
  });
  return error;
}

}  // namespace

WireJson HelloMessage::to_json() const {
  return {{"protocol", protocol},
          {"program", program},
          {"version", version},
          {"machine", machine},
          {"pid", pid}};
}

Result<HelloMessage> HelloMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  HelloMessage message{reader.integer("protocol", 1), reader.text("program"),
                       reader.text("version"), reader.text("machine"), reader.integer("pid", 0)};
  return reader.result(std::move(message));
}

WireJson ProgressMessage::to_json() const {
  return {{"run", run},
          {"phase", name_of(phase)},
          {"step", step},
          {"steps", steps},
          {"loss", finite_or_null(loss)},
          {"evaluating", evaluating},
          {"untraced_step_ns", or_null(untraced_step_ns)}};
}

Result<ProgressMessage> ProgressMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  ProgressMessage message;
  message.run = reader.integer("run", 1);
  message.phase = reader.word("phase", kPhases);
  message.step = reader.integer("step", 0);
  message.steps = reader.integer("steps", 0);
  message.loss = reader.optional_real("loss");
  message.evaluating = reader.optional_flag("evaluating");
  message.untraced_step_ns = reader.optional_integer("untraced_step_ns", 0);
  return reader.result(std::move(message));
}

WireJson MetricsMessage::to_json() const {
  WireJson list = WireJson::array();
  for (const MetricValue& metric : metrics)
    list.push_back(metric_json_of(metric));
  return {{"run", run}, {"metrics", std::move(list)}};
}

Result<MetricsMessage> MetricsMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  MetricsMessage message;
  message.run = reader.integer("run", 1);
  reader.objects("metrics", [&](FieldReader& row) { message.metrics.push_back(read_metric(row)); });
  return reader.result(std::move(message));
}

WireJson LogMessage::to_json() const {
  return {{"severity", name_of(severity)}, {"text", text}};
}

Result<LogMessage> LogMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  LogMessage message{reader.word("severity", kLogSeverities), reader.text("text")};
  return reader.result(std::move(message));
}

WireJson RunErrorMessage::to_json() const {
  return {{"run", run}, {"error", error_json(error)}};
}

Result<RunErrorMessage> RunErrorMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  RunErrorMessage message{reader.integer("run", 1), read_error(reader, "error")};
  return reader.result(std::move(message));
}

WireJson DoneMessage::to_json() const {
  return {{"run", run},
          {"ran", ran},
          {"interrupted", interrupted},
          {"races", races},
          {"recording", recording},
          {"recording_error", recording_error ? error_json(*recording_error) : WireJson()},
          {"steps", steps},
          {"weights_hash", weights_hash},
          {"test_accuracy", finite_or_null(test_accuracy)},
          {"untraced_step_ns", or_null(untraced_step_ns)},
          {"traced_step_ns", or_null(traced_step_ns)},
          {"findings", findings_json_of(findings)},
          {"provenance", provenance_json(provenance)},
          {"unsent_spans", unsent_spans},
          {"unsent_rows", unsent_rows}};
}

Result<DoneMessage> DoneMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  DoneMessage message;
  message.run = reader.integer("run", 1);
  message.ran = reader.flag("ran");
  message.interrupted = reader.flag("interrupted");
  message.races = reader.texts("races");
  message.recording = reader.text("recording");
  if (reader.find("recording_error") != nullptr) {
    message.recording_error = read_error(reader, "recording_error");
  }
  message.steps = reader.integer("steps", 0);
  message.weights_hash = reader.text("weights_hash");
  message.test_accuracy = reader.optional_real("test_accuracy");
  message.untraced_step_ns = reader.optional_integer("untraced_step_ns", 0);
  message.traced_step_ns = reader.optional_integer("traced_step_ns", 0);
  message.findings = read_findings(reader, "findings");
  message.provenance = read_provenance_of(reader, "provenance");
  message.unsent_spans = reader.integer("unsent_spans", 0);
  message.unsent_rows = reader.integer("unsent_rows", 0);
  return reader.result(std::move(message));
}

}  // namespace quintet

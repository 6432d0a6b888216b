#include "viewer/model/status_facts.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "profiler/metrics/probe_effect.h"
#include "profiler/report/format.h"

namespace quintet::viewer {

namespace {

std::optional<double> number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) return std::nullopt;
  return static_cast<double>(value);
}

void add_times(const Document& document, std::vector<StatusFact>& facts) {
  const auto untraced = number(document.said("untraced_step_ns"));
  const auto traced = number(document.said("traced_step_ns"));
  if (untraced) {
    facts.push_back({"untraced " + format_duration(*untraced), StatusTone::plain,
                     "a step as timed without the recorder"});
  }
  if (!traced) return;
  StatusFact fact{"traced " + format_duration(*traced), StatusTone::plain,
                  "a step as timed with the recorder"};
  if (untraced && *untraced > 0) {
    const double slowdown = *traced / *untraced;
    fact.text += fmt::format(" ({:.2f}x)", slowdown);
    if (slowdown > kProbeEffectLimit) {
      fact.tone = StatusTone::warn;
      fact.note = "recording slowed the steps: what is shown is a picture of slowed steps";
    }
  }
  facts.push_back(std::move(fact));
}

void add_count(const Report* report, const char* tag, const char* what,
               std::vector<StatusFact>& facts) {
  const MetricValue* metric = report == nullptr ? nullptr : report->metric(tag);
  if (metric == nullptr) return;
  if (!metric->known()) {
    facts.push_back({fmt::format("{} unknown", what), StatusTone::dim, metric->reason});
    return;
  }
  facts.push_back({fmt::format("{} {}", format_number(metric->value), what),
                   metric->value > 0 ? StatusTone::bad : StatusTone::plain,
                   metric->definition.description});
}

StatusFact verdict_fact(const std::string& verdict) {
  if (verdict.empty()) return {"not proved", StatusTone::dim, "the recording holds no verdict"};
  if (verdict == "race-free") {
    return {verdict, StatusTone::good, "every pair of conflicting tasks was proved to be ordered"};
  }
  return {verdict, StatusTone::bad, "as the proof said before the run"};
}

}  // namespace

std::vector<StatusFact> status_facts(const Document& document, const Report* report) {
  std::vector<StatusFact> facts;
  std::string device = document.said("gpu");
  if (device.empty()) device = document.said("cpu");
  if (device.empty()) {
    facts.push_back({"device unknown", StatusTone::dim, "the recording does not name it"});
  } else {
    facts.push_back({device, StatusTone::plain, document.said("executor")});
  }
  const std::string started = document.said("started");
  if (!started.empty()) {
    facts.push_back(
        {"measured " + started.substr(0, started.find('T')), StatusTone::plain, started});
  }
  add_times(document, facts);
  add_count(report, "record/dropped", "dropped", facts);
  add_count(report, "record/unattributed", "unattributed", facts);
  facts.push_back(verdict_fact(document.said("verdict")));
  if (document.trace && document.trace->state != RecordingState::complete) {
    facts.push_back({document.live ? "running" : std::string(name_of(document.trace->state)),
                     document.live ? StatusTone::good : StatusTone::warn,
                     document.live ? "this run still grows" : "the recording has no proper end"});
  }
  return facts;
}

}  // namespace quintet::viewer

#include "profiler/import/imported_steps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace quintet {

namespace {

/// What the trace store takes.
constexpr std::int64_t kLastStepTime = 1LL << 62;

TraceStep step_of(std::int64_t number, std::int64_t begin_ns, std::int64_t end_ns) {
  TraceStep step;
  step.step = number;
  step.phase = "train";
  step.shape = "imported";
  step.begin_ns = begin_ns;
  step.end_ns = end_ns;
  return step;
}

/// Per source: the surest of its marks.
std::vector<StepMark> surest_marks(const std::vector<ToldStep>& told, std::size_t sources) {
  std::vector<StepMark> marks(sources, StepMark::iteration);
  for (const ToldStep& each : told) {
    StepMark& mark = marks[each.source.value()];
    mark = std::min(mark, each.step.mark);
  }
  return marks;
}

/// Its times moved to the clock of the trace; nothing where they, or its number, cannot be.
std::optional<TraceStep> absolute(const ToldStep& told, const ImportSource& source) {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  const std::int64_t number = told.step.number;
  if (__builtin_add_overflow(told.begin_ns, source.clock_offset_ns, &begin) ||
      __builtin_add_overflow(told.end_ns, source.clock_offset_ns, &end) || begin < 0 ||
      end < begin || end > kLastStepTime || number < 0 ||
      number > std::numeric_limits<std::int32_t>::max()) {
    return std::nullopt;
  }
  return step_of(number, begin, end);
}

/// The same of a step that a file lists.
std::optional<TraceStep> absolute(TraceStep step, const ImportSource& source) {
  const auto times =
      absolute(ToldStep{{}, {step.step, StepMark::payload}, step.begin_ns, step.end_ns}, source);
  if (!times) return std::nullopt;
  step.begin_ns = times->begin_ns;
  step.end_ns = times->end_ns;
  return step;
}

}  // namespace

ImportedSteps::ImportedSteps(const std::vector<ToldStep>& told, std::vector<RestoredStep> restored,
                             const std::vector<ImportSource>& sources, FindingCounts& findings) {
  const std::vector<StepMark> marks = surest_marks(told, sources.size());
  std::map<std::int64_t, TraceStep> steps;
  std::set<std::pair<std::int64_t, ImportSourceId>> seen;
  for (const ToldStep& each : told) {
    const std::size_t source = each.source.value();
    if (sources[source].steps_restored) continue;
    const std::optional<TraceStep> step = absolute(each, sources[source]);
    if (each.step.mark != marks[source]) {
      findings.count(
          Severity::info, "other_step_marks",
          "ranges that mark steps in another way than their file's surest: not taken as steps");
    } else if (!step) {
      findings.count(Severity::notice, "impossible_step",
                     "steps with an impossible number or time: left out");
    } else if (!seen.insert({step->step, each.source}).second) {
      findings.count(Severity::notice, "repeated_step",
                     "steps that a file tells twice: the first counts");
    } else {
      TraceStep& known = steps.try_emplace(step->step, *step).first->second;
      known.begin_ns = std::min(known.begin_ns, step->begin_ns);
      known.end_ns = std::max(known.end_ns, step->end_ns);
    }
  }
  for (auto& [number, step] : steps)
    by_begin_.push_back(std::move(step));
  for (RestoredStep& each : restored) {
    auto step = absolute(std::move(each.step), sources[each.source.value()]);
    if (step) {
      by_begin_.push_back(std::move(*step));
    } else {
      findings.count(Severity::notice, "impossible_step",
                     "steps with an impossible number or time: left out");
    }
  }
  std::stable_sort(by_begin_.begin(), by_begin_.end(),
                   [](const TraceStep& a, const TraceStep& b) { return a.begin_ns < b.begin_ns; });
  for (const TraceStep& step : by_begin_) {
    latest_end_ns_.push_back(latest_end_ns_.empty() ? step.end_ns
                                                    : std::max(latest_end_ns_.back(), step.end_ns));
  }
}

void ImportedSteps::take_whole(std::int64_t begin_ns, std::int64_t end_ns,
                               FindingCounts& findings) {
  findings.count(Severity::info, "no_steps",
                 "no training step is named: the whole range counts as one");
  by_begin_ = {step_of(0, begin_ns, end_ns)};
  latest_end_ns_ = {end_ns};
}

std::vector<TraceStep> ImportedSteps::by_end() const {
  std::vector<TraceStep> steps = by_begin_;
  std::sort(steps.begin(), steps.end(), [](const TraceStep& a, const TraceStep& b) {
    return a.end_ns != b.end_ns ? a.end_ns < b.end_ns : a.step < b.step;
  });
  return steps;
}

std::int32_t ImportedSteps::at(std::int64_t time_ns) const {
  const auto after = std::upper_bound(
      by_begin_.begin(), by_begin_.end(), time_ns,
      [](std::int64_t time, const TraceStep& step) { return time < step.begin_ns; });
  if (after == by_begin_.begin()) return -1;
  const TraceStep& step = *(after - 1);
  return time_ns < step.end_ns ? static_cast<std::int32_t>(step.step) : -1;
}

bool ImportedSteps::touch(std::int64_t begin_ns, std::int64_t end_ns) const {
  const auto after =
      std::partition_point(by_begin_.begin(), by_begin_.end(),
                           [end_ns](const TraceStep& step) { return step.begin_ns <= end_ns; });
  return after != by_begin_.begin() &&
         latest_end_ns_[static_cast<std::size_t>(after - by_begin_.begin() - 1)] >= begin_ns;
}

}  // namespace quintet

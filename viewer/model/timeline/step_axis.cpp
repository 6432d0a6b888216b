#include "viewer/model/timeline/step_axis.h"

#include <algorithm>
#include <limits>

#include "viewer/model/timeline/time_span.h"

namespace quintet::viewer {

namespace {

std::string reason_of(StepRecording recording) {
  switch (recording) {
    case StepRecording::all:
      return {};
    case StepRecording::none:
      return "spans of these steps were not recorded";
    case StepRecording::disturbed:
      return "the recorder held these steps up; some spans may be missing";
  }
  return {};
}

std::int64_t first_time(const Trace& trace, const StepAxis& axis) {
  if (!axis.steps().empty()) return axis.steps().front().time.begin;
  return trace.spans.size() > 0 ? trace.spans.begin_ns.front() : 0;
}

/// The difference of two times, at most as far as times reach.
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return a >= b ? later_by(0, length_ns(b, a)) : earlier_by(0, length_ns(a, b));
}

/// Steps are launched ahead of the ones before them: of what overlaps those, only the rest is a step's
/// own. A step within another one keeps its time.
Interval own_time(const TraceStep& step, std::int64_t latest_end_before) {
  Interval time{step.begin_ns, std::max(step.begin_ns, step.end_ns)};
  if (time.contains(latest_end_before)) time.begin = latest_end_before;
  return time;
}

void sort_by_begin(std::vector<StepMark>& marks) {
  std::stable_sort(marks.begin(), marks.end(), [](const StepMark& a, const StepMark& b) {
    return a.time.begin < b.time.begin;
  });
}

}  // namespace

StepAxis::StepAxis(const Trace& trace) {
  for (std::size_t step = 0; step < trace.steps.size(); ++step) {
    const TraceStep& each = trace.steps[step];
    steps_.push_back({each.step, {each.begin_ns, std::max(each.begin_ns, each.end_ns)}, step});
  }
  sort_by_begin(steps_);
  std::int64_t latest_end = std::numeric_limits<std::int64_t>::min();
  for (StepMark& mark : steps_) {
    mark.time = own_time(trace.steps[mark.index], latest_end);
    latest_end = std::max(latest_end, mark.time.end);
  }
  sort_by_begin(steps_);
  for (std::size_t step = 1; step < steps_.size(); ++step)
    numbered_in_order_ = numbered_in_order_ && steps_[step - 1].step < steps_[step].step;
  StepRecording last = StepRecording::all;
  for (const StepMark& mark : steps_) {
    const StepRecording recording = trace.steps[mark.index].recording;
    if (recording != StepRecording::all && recording == last) {
      UnrecordedStretch& stretch = unrecorded_.back();
      stretch.time.end = std::max(stretch.time.end, mark.time.end);
      stretch.last_step = mark.step;
    } else if (recording != StepRecording::all) {
      unrecorded_.push_back({mark.time, mark.step, mark.step, reason_of(recording)});
    }
    last = recording;
  }
}

std::optional<std::int64_t> StepAxis::step_at(std::int64_t time_ns) const {
  const auto after =
      std::partition_point(steps_.begin(), steps_.end(),
                           [time_ns](const StepMark& mark) { return mark.time.begin <= time_ns; });
  if (after == steps_.begin()) return std::nullopt;
  return (after - 1)->step;
}

std::optional<std::int64_t> StepAxis::window_at(std::int64_t time_ns) const {
  // Some imported steps lie within others: one that begins before a time may end after it.
  constexpr std::size_t kAhead = 8;
  const Slice slice = within({time_ns, later_by(time_ns, 1)});
  for (std::size_t at = slice.first - std::min(slice.first, kAhead); at < steps_.size(); ++at) {
    if (steps_[at].time.end > time_ns) return steps_[at].step;
  }
  return std::nullopt;
}

const StepMark* StepAxis::find(std::int64_t step) const {
  if (numbered_in_order_) {
    const auto at = std::partition_point(steps_.begin(), steps_.end(),
                                         [step](const StepMark& mark) { return mark.step < step; });
    return at == steps_.end() || at->step != step ? nullptr : &*at;
  }
  const auto found = std::find_if(steps_.begin(), steps_.end(),
                                  [step](const StepMark& mark) { return mark.step == step; });
  return found == steps_.end() ? nullptr : &*found;
}

StepAxis::Slice StepAxis::within(const Interval& range) const {
  const auto first = std::partition_point(
      steps_.begin(), steps_.end(),
      [&range](const StepMark& mark) { return mark.time.begin <= range.begin; });
  const auto last = std::partition_point(
      first, steps_.end(), [&range](const StepMark& mark) { return mark.time.begin < range.end; });
  const auto position = static_cast<std::size_t>(first - steps_.begin());
  return {position == 0 ? 0 : position - 1, static_cast<std::size_t>(last - steps_.begin())};
}

Interval time_of_step(const Trace& trace, const TraceStep& step) {
  std::int64_t latest_end = std::numeric_limits<std::int64_t>::min();
  for (const TraceStep& other : trace.steps) {
    if (&other != &step && other.begin_ns <= step.begin_ns && other.step < step.step)
      latest_end = std::max(latest_end, other.end_ns);
  }
  return own_time(step, latest_end);
}

std::int64_t shift_of_b(const Trace& a, const StepAxis& axis_a, const Trace& b,
                        const StepAxis& axis_b, std::optional<std::int64_t> step) {
  const StepMark* in_a = step ? axis_a.find(*step) : nullptr;
  const StepMark* in_b = step ? axis_b.find(*step) : nullptr;
  if (in_a != nullptr && in_b != nullptr) return difference(in_a->time.begin, in_b->time.begin);
  // Recordings of different lengths: the same place among their steps. A prediction has a few equal
  // steps: of those a middle one, so that its neighbours are in view too.
  if (in_a != nullptr && !axis_b.steps().empty()) {
    const auto place = static_cast<std::size_t>(in_a - axis_a.steps().data());
    const std::size_t steps_of_b = axis_b.steps().size();
    const StepMark& mark = axis_b.steps()[place < steps_of_b ? place : steps_of_b / 2];
    return difference(in_a->time.begin, mark.time.begin);
  }
  return difference(first_time(a, axis_a), first_time(b, axis_b));
}

}  // namespace quintet::viewer

// The steps that a timeline looks at one by one: which, how closely, and what of them stays known.

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <utility>

#include "viewer/model/timeline_part.h"

namespace quintet::viewer {

namespace {

/// A step that somebody waits for.
struct WantedStep {
  std::int64_t step = 0;
  bool close = false;
  bool linked = false;
};

/// What a look at some of them found.
struct FoundSteps {
  std::vector<StepInsight> close;
  std::vector<FoldedStep> folded;
  std::vector<std::pair<std::int64_t, std::string>> unknown;
};

/// What went wrong is then known of the step, so that it is not tried again each frame.
Result<StepInsight> insight_of(const StepSlicer& slicer, std::int64_t step) {
  try {
    return StepInsight::of(slicer, step);
  } catch (const std::exception& error) {
    return fail(fmt::format("step {}: {}", step, error.what()));
  }
}

/// Looks at the steps in turn, for as long as somebody may wait for the first of them.
std::shared_ptr<FoundSteps> look_at(const StepSlicer& slicer, const std::vector<WantedStep>& wanted,
                                    const JobControl& control) {
  constexpr auto kPatience = std::chrono::milliseconds(50);
  const auto begin = std::chrono::steady_clock::now();
  auto found = std::make_shared<FoundSteps>();
  for (const WantedStep& each : wanted) {
    Result<StepInsight> insight = insight_of(slicer, each.step);
    if (!insight) {
      found->unknown.emplace_back(each.step, insight.error().message);
    } else if (each.linked) {
      found->close.push_back(std::move(*insight));
    } else if (each.close) {
      found->close.push_back(insight->without_links());
    } else {
      found->folded.push_back(fold(*insight));
    }
    if (control.cancelled() || std::chrono::steady_clock::now() - begin > kPatience) break;
  }
  return found;
}

/// Keeps what was found; returns the steps that it is of.
std::vector<std::int64_t> add_all(FoundSteps& found, const StepsInView& in_view,
                                  KnownSteps& known) {
  std::vector<std::int64_t> steps;
  for (StepInsight& insight : found.close) {
    steps.push_back(insight.step());
    known.add(std::move(insight), in_view);
  }
  for (FoldedStep& folded : found.folded) {
    steps.push_back(folded.step);
    known.add(std::move(folded), in_view);
  }
  for (auto& [step, why] : found.unknown) {
    steps.push_back(step);
    known.add_unknown(step, std::move(why), in_view);
  }
  return steps;
}

std::string title_of(const std::vector<WantedStep>& wanted) {
  return wanted.size() == 1 ? fmt::format("Looking at step {}", wanted.front().step)
                            : fmt::format("Looking at {} steps", wanted.size());
}

/// True where a step is known as well as it is wanted, or it is known why nothing is.
bool satisfied(const KnownSteps& known, const WantedStep& wanted) {
  if (known.unknown(wanted.step) != nullptr) return true;
  if (!wanted.close) return known.folded(wanted.step) != nullptr;
  const StepInsight* insight = known.close(wanted.step);
  return insight != nullptr && (!wanted.linked || insight->linked());
}

/// The earliest begin among the rows from `first` on, or `until`.
template <class Row>
std::int64_t earliest(const std::vector<Row>& rows, std::size_t first, std::int64_t until) {
  for (std::size_t row = first; row < rows.size(); ++row)
    until = std::min(until, rows[row].begin_ns);
  return until;
}

/// The first step of a later state of a trace that may be another than in the earlier one.
std::int64_t first_changed_step(const Trace& before, const Trace& now, std::size_t shared) {
  std::int64_t until = shared < now.spans.size() ? now.spans.begin_ns[shared] : kLatestNs;
  until = earliest(now.launches, before.launches.size(), until);
  until = earliest(now.host_waits, before.host_waits.size(), until);
  std::int64_t first = kLatestNs;
  for (std::size_t step = 0; step < now.steps.size(); ++step) {
    const bool fresh = step >= before.steps.size();
    if (fresh || now.steps[step].end_ns > until) first = std::min(first, now.steps[step].step);
  }
  return first;
}

/// The steps of a slice; held are those wanted first, which a selection names.
StepsInView in_view_of(const StepAxis& axis, const StepAxis::Slice& slice,
                       const std::vector<WantedStep>& wanted) {
  constexpr std::size_t kMostNamed = 3;
  StepsInView seen;
  for (std::size_t each = 0; each < std::min(kMostNamed, wanted.size()); ++each)
    seen.held.push_back(wanted[each].step);
  if (slice.first == slice.last) return seen;
  seen.first = axis.steps()[slice.first].step;
  seen.last = axis.steps()[slice.last - 1].step;
  return seen;
}

/// The steps of a slice, those in its middle first.
std::vector<std::int64_t> from_the_middle(const StepAxis& axis, const StepAxis::Slice& slice) {
  std::vector<std::int64_t> steps;
  std::size_t left = slice.first + (slice.last - slice.first) / 2;
  std::size_t right = left;
  while (left > slice.first || right < slice.last) {
    if (right < slice.last) steps.push_back(axis.steps()[right++].step);
    if (left > slice.first) steps.push_back(axis.steps()[--left].step);
  }
  return steps;
}

}  // namespace

void TimelinePart::take_base(Side side, std::shared_ptr<const TimelineBase> base) {
  TimelineSide& held = sides_[index_of(side)];
  const std::shared_ptr<const TimelineBase> earlier = std::exchange(held.base, std::move(base));
  answers_[index_of(side)] = {};
  const std::size_t shared = held.base->index && earlier && earlier->index
                                 ? held.base->history.shared_with(earlier->history)
                                 : 0;
  if (shared > 0) {
    held.known.forget_from(
        first_changed_step(earlier->index->trace(), held.base->index->trace(), shared));
  } else if (!earlier || earlier->slicer != held.base->slicer) {
    held.known = {};
  }
}

std::optional<std::int64_t> TimelinePart::linked_step(Side side, const Workbench& workbench) const {
  const TimelineSide& held = sides_[index_of(side)];
  const Selection& selection = workbench.selection;
  if (selection.side != side || !selection.span) return std::nullopt;
  const SpanColumns& spans = held.base->index->trace().spans;
  if (*selection.span >= spans.size()) return std::nullopt;
  return held.base->steps.window_at(spans.begin_ns[*selection.span]);
}

void TimelinePart::look_at_steps(Side side, PartContext& context) {
  const Document* document = context.workbench.document(side);
  TimelineSide& held = sides_[index_of(side)];
  if (document == nullptr || !held.base || !held.base->index) return;
  const std::string key = fmt::format("timeline steps {}", name_of(side));
  if (context.background.busy(key)) return;
  const StepAxis& axis = held.base->steps;
  const std::int64_t shift = shift_ns(side) == 0 ? 0 : -shift_ns(side);
  const Workbench& workbench = context.workbench;
  const Interval view = visible(workbench);
  const StepAxis::Slice seen =
      axis.within({shifted_by(view.begin, shift), shifted_by(view.end, shift)});
  const StepWishes wishes{seen.first, seen.last, workbench.selection, workbench.step};
  StepAnswers& answers = answers_[index_of(side)];
  if (answers.wishes != wishes) answers = {wishes, {}, false};
  if (answers.granted) return;
  const std::size_t steps = seen.last - seen.first;
  std::vector<WantedStep> wanted;
  if (const auto linked = linked_step(side, workbench)) {
    wanted.push_back({*linked, true, true});
  }
  const Selection& selection = workbench.selection;
  if (selection.side == side && selection.step) wanted.push_back({*selection.step, true, false});
  if (workbench.step && axis.find(*workbench.step) != nullptr) {
    wanted.push_back({*workbench.step, true, false});
  }
  if (steps <= kFoldedSteps) {
    for (const std::int64_t step : from_the_middle(axis, seen))
      wanted.push_back({step, steps <= kCloseSteps, false});
  }
  const StepsInView in_view = in_view_of(axis, seen, wanted);
  std::erase_if(wanted, [&](const WantedStep& each) {
    return answers.answered.contains(each.step) || satisfied(held.known, each);
  });
  answers.granted = wanted.empty();
  if (answers.granted) return;
  context.background.start<std::shared_ptr<FoundSteps>>(
      key, title_of(wanted),
      [slicer = held.base->slicer, wanted](JobControl& control) {
        return look_at(*slicer, wanted, control);
      },
      [this, side, wishes, in_view, base = held.base](const std::shared_ptr<FoundSteps>& found) {
        TimelineSide& now = sides_[index_of(side)];
        // Of another state of the trace: asked for again.
        if (now.base != base) return;
        StepAnswers& now_answered = answers_[index_of(side)];
        const std::vector<std::int64_t> steps_found = add_all(*found, in_view, now.known);
        if (now_answered.wishes != wishes) return;
        now_answered.answered.insert(steps_found.begin(), steps_found.end());
      });
}

}  // namespace quintet::viewer

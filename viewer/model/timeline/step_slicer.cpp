#include "viewer/model/timeline/step_slicer.h"

#include <algorithm>
#include <utility>

#include "profiler/trace/span_columns.h"

namespace quintet::viewer {

namespace {

constexpr std::size_t kBlock = 1024;

/// Calls `copy(first, last)` for the blocks of a table of `rows` that meet a reach.
template <class Reach, class Copy>
void for_meeting(const std::vector<Reach>& blocks, std::size_t rows, const Reach& wanted,
                 Copy copy) {
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    if (!blocks[block].meets(wanted)) continue;
    copy(block * kBlock, std::min(rows, (block + 1) * kBlock));
  }
}

template <class T>
void copy_rows(const std::vector<T>& from, std::size_t first, std::size_t last,
               std::vector<T>& to) {
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first),
            from.begin() + static_cast<std::ptrdiff_t>(last));
}

}  // namespace

void StepSlicer::Reach::take_step(std::int64_t step) {
  if (step < 0) {
    below_zero = true;
    return;
  }
  first_step = std::min(first_step, step);
  last_step = std::max(last_step, step);
}

void StepSlicer::Reach::take_time(std::int64_t begin, std::int64_t end) {
  begin_ns = std::min(begin_ns, begin);
  end_ns = std::max({end_ns, begin, end});
}

bool StepSlicer::Reach::meets(const Reach& other) const {
  return (below_zero && other.below_zero) ||
         (first_step <= other.last_step && last_step >= other.first_step) ||
         (begin_ns <= other.end_ns && end_ns >= other.begin_ns);
}

StepSlicer::StepSlicer(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)) {
  look(0);
}

StepSlicer::StepSlicer(const StepSlicer& older, std::shared_ptr<const Trace> trace,
                       std::size_t unchanged)
    : StepSlicer(older) {
  trace_ = std::move(trace);
  look(std::min(unchanged, trace_->spans.size()));
}

void StepSlicer::look(std::size_t unchanged) {
  // A block that was not full, or of which something changed, is looked at again.
  const auto follow = [](Reaches& blocks, std::size_t kept, std::size_t rows, auto take) {
    blocks.resize(std::min(blocks.empty() ? 0 : blocks.size() - 1, kept / kBlock));
    for (std::size_t row = blocks.size() * kBlock; row < rows; ++row) {
      if (row % kBlock == 0) blocks.emplace_back();
      take(row, blocks.back());
    }
  };
  const SpanColumns& spans = trace_->spans;
  follow(spans_, unchanged, spans.size(), [&spans](std::size_t row, Reach& reach) {
    reach.take_step(spans.step[row]);
    reach.take_time(spans.begin_ns[row], spans.end_ns[row]);
  });
  const auto follow_table = [&follow](Reaches& blocks, const auto& table) {
    follow(blocks, table.size(), table.size(), [&table](std::size_t row, Reach& reach) {
      reach.take_step(table[row].step);
      reach.take_time(table[row].begin_ns, table[row].end_ns);
    });
  };
  follow_table(rows_.launches, trace_->launches);
  follow_table(rows_.host_waits, trace_->host_waits);
  const std::vector<TraceUntimed>& untimed = trace_->untimed;
  follow(rows_.untimed, untimed.size(), untimed.size(), [&](std::size_t row, Reach& reach) {
    reach.take_step(untimed[row].step);  // it has no time
  });
}

Trace StepSlicer::around(StepRange range) const {
  const Trace& all = *trace_;
  Trace part;
  part.state = all.state;
  part.provenance = all.provenance;
  part.lanes = all.lanes;
  part.regions = all.regions;
  part.tensors = all.tensors;
  part.tasks = all.tasks;
  part.graphs = all.graphs;
  part.commands = all.commands;
  part.activities = all.activities;
  part.clocks = all.clocks;
  part.lane_clocks = all.lane_clocks;
  part.clock_pairs = all.clock_pairs;
  part.findings = all.findings;
  Reach wanted;
  for (const TraceStep& step : all.steps) {
    if (!range.contains(step.step)) continue;
    part.steps.push_back(step);
    wanted.take_time(step.begin_ns, step.end_ns);
  }
  wanted.take_step(range.first);
  wanted.take_step(range.last);
  for_meeting(spans_, all.spans.size(), wanted, [&](std::size_t first, std::size_t last) {
    for_each_column([&](auto& to, const auto& from) { copy_rows(from, first, last, to); },
                    part.spans, all.spans);
  });
  const auto copy_table = [&wanted](const Reaches& blocks, const auto& from, auto& to) {
    for_meeting(blocks, from.size(), wanted,
                [&](std::size_t first, std::size_t last) { copy_rows(from, first, last, to); });
  };
  copy_table(rows_.launches, all.launches, part.launches);
  copy_table(rows_.host_waits, all.host_waits, part.host_waits);
  copy_table(rows_.untimed, all.untimed, part.untimed);
  return part;
}

}  // namespace quintet::viewer

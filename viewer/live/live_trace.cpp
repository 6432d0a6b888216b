#include "viewer/live/live_trace.h"

#include <algorithm>
#include <utility>

#include "profiler/trace/span_order.h"

namespace quintet {

/// The copies that nobody looks at. Any thread gives back; the writer takes.
class LiveTrace::Copies : public std::enable_shared_from_this<LiveTrace::Copies> {
 public:
  /// One copy shown, one that is being written, one that somebody does not let go of.
  static constexpr std::size_t kMost = 3;

  std::unique_ptr<Copy> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<Copy> copy = std::move(free_.back());
    free_.pop_back();
    return copy;
  }
  void give_back(std::unique_ptr<Copy> copy) {
    const std::lock_guard lock(mutex_);
    if (closed_) {
      forget(*copy);
    } else {
      free_.push_back(std::move(copy));
    }
  }
  /// For reading until the last handle goes; then it is free again.
  std::shared_ptr<const Trace> lend(std::unique_ptr<Copy> copy) {
    Copy* const lent = copy.release();
    return {&lent->trace, [copies = shared_from_this(), lent](const Trace*) {
              copies->give_back(std::unique_ptr<Copy>(lent));
            }};
  }
  /// False where there are as many as may be.
  bool add(const Copy* copy) {
    const std::lock_guard lock(mutex_);
    if (all_.size() == kMost) return false;
    all_.push_back(copy);
    applied_.push_back(0);
    return true;
  }
  void set_applied(const Copy* copy, std::size_t entries) {
    const std::lock_guard lock(mutex_);
    applied_.at(index_of(copy)) = entries;
  }
  /// Entries that every copy holds.
  [[nodiscard]] std::size_t applied_by_all() const {
    const std::lock_guard lock(mutex_);
    return applied_.empty() ? 0 : *std::min_element(applied_.begin(), applied_.end());
  }
  /// Those that come back from now on are not kept.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const std::unique_ptr<Copy>& copy : free_)
      forget(*copy);
    free_.clear();
  }

 private:
  [[nodiscard]] std::size_t index_of(const Copy* copy) const {
    return static_cast<std::size_t>(std::find(all_.begin(), all_.end(), copy) - all_.begin());
  }
  void forget(const Copy& copy) {
    const std::size_t at = index_of(&copy);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(at));
    applied_.erase(applied_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  mutable std::mutex mutex_;
  std::vector<const Copy*> all_;
  std::vector<std::size_t> applied_;  ///< beside all_
  std::vector<std::unique_ptr<Copy>> free_;
  bool closed_ = false;
};

void LiveTrace::clear() {
  if (copies_) copies_->close();
  begun_ = false;
  ended_ = false;
  spans_ = 0;
  senseless_ = {};
  left_out_spans_ = 0;
  entries_.clear();
  first_entry_ = 0;
  shown_entries_ = 0;
  tables_ = {};
  LiveSnapshot old;
  const std::lock_guard lock(mutex_);
  std::swap(old.trace, shown_.trace);
  shown_.history = {};
  ++shown_.generation;
}

void LiveTrace::begin(Trace plan) {
  clear();
  begun_ = true;
  copies_ = std::make_shared<Copies>();
  tables_.lanes = plan.lanes;
  tables_.regions = plan.regions;
  tables_.tasks.resize(plan.tasks.size());
  tables_.graphs.resize(plan.graphs.size());
  tables_.activities.resize(plan.activities.size());
  tables_.clocks = plan.clocks;
  spans_ = plan.spans.size();
  plan.state = RecordingState::growing;
  auto copy = std::make_unique<Copy>(Copy{std::move(plan), 0});
  copies_->add(copy.get());
  history_.restart();
  show(std::move(copy));
}

void LiveTrace::append(TraceBatch batch) {
  if (!begun_ || ended_) return;
  const SenselessParts lost = drop_senseless(tables_, batch);
  senseless_.spans += lost.spans;
  senseless_.rows += lost.rows;
  if (const std::size_t room = most_spans_ - spans_; batch.spans.size() > room) {
    left_out_spans_ += static_cast<std::int64_t>(batch.spans.size() - room);
    resize(batch.spans, room);
  }
  spans_ += batch.spans.size();
  sort_spans(batch.spans);
  tables_.lanes.insert(tables_.lanes.end(), batch.lanes.begin(), batch.lanes.end());
  tables_.tasks.resize(tables_.tasks.size() + batch.tasks.size());
  tables_.activities.resize(tables_.activities.size() + batch.activities.size());
  tables_.clocks.insert(tables_.clocks.end(), batch.clocks.begin(), batch.clocks.end());
  add({std::move(batch), std::nullopt});
}

void LiveTrace::end(TraceEnding ending) {
  if (!begun_ || ended_) return;
  ended_ = true;
  add({{}, std::move(ending)});
}

void LiveTrace::add(Entry entry) {
  entries_.push_back(std::make_shared<const Entry>(std::move(entry)));
}

void LiveTrace::apply(Trace& trace, const Entry& entry) {
  if (!entry.ending) {
    quintet::append(trace, entry.batch);
    return;
  }
  const TraceEnding& ending = *entry.ending;
  trace.state = ending.state;
  for (const auto& [key, value] : ending.provenance)
    trace.provenance[key] = value;
  if (ending.findings) trace.findings = *ending.findings;
  trace.findings.insert(trace.findings.end(), ending.more_findings.begin(),
                        ending.more_findings.end());
}

void LiveTrace::bring_up_to_date(Copy& copy) const {
  for (std::size_t at = copy.applied - first_entry_; at < entries_.size(); ++at)
    apply(copy.trace, *entries_[at]);
  copy.applied = first_entry_ + entries_.size();
}

bool LiveTrace::publish() {
  if (!begun_ || shown_entries_ == first_entry_ + entries_.size()) return true;
  std::unique_ptr<Copy> copy = copies_->take();
  if (!copy) {
    // Only this thread replaces shown_, and its trace is never written to: reading it takes no lock.
    auto fresh = std::make_unique<Copy>();
    if (!copies_->add(fresh.get())) return false;
    fresh->trace = *shown_.trace;
    fresh->applied = shown_entries_;
    copy = std::move(fresh);
  }
  bring_up_to_date(*copy);
  history_.grow(unchanged_spans(copy->trace));
  show(std::move(copy));
  forget_applied();
  if (ended_) {  // nothing comes any more: what is shown holds everything
    copies_->close();
    first_entry_ += entries_.size();
    entries_.clear();
  }
  return true;
}

std::size_t LiveTrace::unchanged_spans(const Trace& trace) const {
  std::optional<SpanKey> first;
  for (std::size_t at = shown_entries_ - first_entry_; at < entries_.size(); ++at) {
    const SpanColumns& spans = entries_[at]->batch.spans;
    if (spans.size() == 0) continue;
    const SpanKey key = span_key(spans, 0);
    if (!first || key < *first) first = key;
  }
  if (!first) return trace.spans.size();
  // Nothing that was added lies before the earliest span of it.
  std::size_t low = 0;
  std::size_t high = trace.spans.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const bool earlier = span_key(trace.spans, middle) < *first;
    (earlier ? low : high) = earlier ? middle + 1 : middle;
  }
  return low;
}

void LiveTrace::show(std::unique_ptr<Copy> copy) {
  shown_entries_ = copy->applied;
  copies_->set_applied(copy.get(), copy->applied);
  std::shared_ptr<const Trace> next = copies_->lend(std::move(copy));
  {
    const std::lock_guard lock(mutex_);
    std::swap(shown_.trace, next);
    shown_.history = history_;
    ++shown_.generation;
  }
  // Here `next` is the one that was shown before, which may become free: not under the lock.
}

void LiveTrace::forget_applied() {
  const std::size_t done = copies_->applied_by_all();
  const auto count = static_cast<std::ptrdiff_t>(done - std::min(done, first_entry_));
  entries_.erase(entries_.begin(), entries_.begin() + count);
  first_entry_ += static_cast<std::size_t>(count);
}

LiveSnapshot LiveTrace::snapshot() const {
  const std::lock_guard lock(mutex_);
  return shown_;
}

}  // namespace quintet

#include "profiler/report/slice_stream.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

bool comes_before(const Slice& a, const Slice& b) {
  const auto key = [](const Slice& slice) {
    const bool lasts = slice.end_ns > slice.begin_ns;
    return std::tuple(slice.begin_ns, lasts, -slice.end_ns, slice.kind, slice.index);
  };
  return key(a) < key(b);
}

template <class Row>
void add_rows(const std::vector<Row>& rows, SliceKind kind, std::vector<Slice>& slices) {
  for (std::size_t index = 0; index < rows.size(); ++index)
    slices.push_back({rows[index].begin_ns, rows[index].end_ns, kind, index});
}

}  // namespace

SliceStream::SliceStream(const Trace& trace) : trace_(trace) {
  if (!spans_sorted(trace.spans)) {
    order_.resize(trace.spans.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(), [&trace](std::uint32_t a, std::uint32_t b) {
      return span_key(trace.spans, a) < span_key(trace.spans, b);
    });
  }
  add_rows(trace.host_waits, SliceKind::host_wait, rest_);
  add_rows(trace.launches, SliceKind::launch, rest_);
  add_rows(trace.steps, SliceKind::step, rest_);
  std::sort(rest_.begin(), rest_.end(), comes_before);
}

std::size_t SliceStream::span_at(std::size_t position) const {
  return order_.empty() ? position : order_[position];
}

void SliceStream::open_group() {
  const SpanColumns& spans = trace_.spans;
  group_begin_ = group_full_ = group_end_;
  taken_ = 0;
  if (group_begin_ == spans.size()) return;
  const std::int64_t begin = spans.begin_ns[span_at(group_begin_)];
  while (group_end_ < spans.size() && spans.begin_ns[span_at(group_end_)] == begin) {
    if (spans.end_ns[span_at(group_end_)] == begin) group_full_ = group_end_ + 1;
    ++group_end_;
  }
}

std::optional<Slice> SliceStream::peek_span() {
  if (taken_ == group_end_ - group_begin_) open_group();
  if (group_begin_ == group_end_) return std::nullopt;
  const std::size_t empty = group_full_ - group_begin_;
  const std::size_t position =
      taken_ < empty ? group_begin_ + taken_ : group_end_ - 1 - (taken_ - empty);
  const std::size_t index = span_at(position);
  return Slice{trace_.spans.begin_ns[index], trace_.spans.end_ns[index], SliceKind::span, index};
}

std::optional<Slice> SliceStream::next() {
  const std::optional<Slice> span = peek_span();
  const bool more = rest_taken_ < rest_.size();
  if (span && (!more || comes_before(*span, rest_[rest_taken_]))) {
    ++taken_;
    return span;
  }
  if (!more) return std::nullopt;
  return rest_[rest_taken_++];
}

}  // namespace quintet

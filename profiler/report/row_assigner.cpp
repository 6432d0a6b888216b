#include "profiler/report/row_assigner.h"

#include <algorithm>
#include <limits>

namespace quintet {

namespace {

constexpr std::int64_t kTakesAll = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kTakesNothing = std::numeric_limits<std::int64_t>::min();

}  // namespace

std::size_t RowAssigner::place(std::int64_t begin_ns, std::int64_t end_ns) {
  close_until(begin_ns);
  const std::size_t row = first_that_takes(end_ns);
  // What is empty takes no place: it is over where it begins.
  if (end_ns > begin_ns) {
    open_[row].push_back(end_ns);
    ends_.push({end_ns, row});
    refresh(row);
  }
  return row;
}

void RowAssigner::close_until(std::int64_t now_ns) {
  while (!ends_.empty() && ends_.top().first <= now_ns) {
    const std::size_t row = ends_.top().second;
    ends_.pop();
    // Ends come in order, and within a row the innermost slice ends first.
    open_[row].pop_back();
    refresh(row);
  }
}

std::size_t RowAssigner::first_that_takes(std::int64_t end_ns) {
  if (leaves_ == 0 || latest_[1] < end_ns) add_row();
  std::size_t node = 1;
  while (node < leaves_)
    node = latest_[2 * node] >= end_ns ? 2 * node : 2 * node + 1;
  return node - leaves_;
}

void RowAssigner::add_row() {
  open_.emplace_back();
  if (open_.size() > leaves_) {
    leaves_ = std::max<std::size_t>(1, 2 * leaves_);
    latest_.assign(2 * leaves_, kTakesNothing);
    for (std::size_t row = 0; row < open_.size(); ++row)
      refresh(row);
  }
  refresh(open_.size() - 1);
}

void RowAssigner::refresh(std::size_t row) {
  const std::vector<std::int64_t>& open = open_[row];
  const std::int64_t within =
      nesting_ == RowNesting::contained && !open.empty() ? open.back() : kTakesNothing;
  std::size_t node = leaves_ + row;
  latest_[node] = open.empty() ? kTakesAll : within;
  for (node /= 2; node >= 1; node /= 2)
    latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
}

}  // namespace quintet

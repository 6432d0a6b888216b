#include "viewer/model/timeline/sub_row_chooser.h"

#include <algorithm>

#include "viewer/model/timeline/time_span.h"

namespace quintet::viewer {

SubRowChooser::SubRowChooser(const std::vector<std::int64_t>& free_from_ns)
    : rows_(free_from_ns.size()) {
  while (leaves_ < rows_)
    widen();
  for (std::size_t row = 0; row < rows_; ++row)
    free_from(row, free_from_ns[row]);
}

void SubRowChooser::free_from(std::size_t row, std::int64_t time_ns) {
  std::size_t node = leaves_ + row;
  earliest_end_[node] = time_ns;
  for (node /= 2; node >= 1; node /= 2)
    earliest_end_[node] = std::min(earliest_end_[2 * node], earliest_end_[2 * node + 1]);
}

std::size_t SubRowChooser::place(std::int64_t begin_ns, std::int64_t end_ns) {
  // Rows not yet opened count as free since ever; only a full tree has none.
  if (leaves_ == 0 || earliest_end_[1] > begin_ns) widen();
  std::size_t node = 1;
  while (node < leaves_) {
    node *= 2;
    if (earliest_end_[node] > begin_ns) ++node;
  }
  const std::size_t row = node - leaves_;
  rows_ = std::max(rows_, row + 1);
  free_from(row, std::max(begin_ns, end_ns));
  return row;
}

void SubRowChooser::widen() {
  const std::vector<std::int64_t> ends(earliest_end_.begin() + static_cast<std::ptrdiff_t>(leaves_),
                                       earliest_end_.end());
  leaves_ = std::max<std::size_t>(1, 2 * leaves_);
  earliest_end_.assign(2 * leaves_, kEarliestNs);
  std::copy(ends.begin(), ends.end(), earliest_end_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (std::size_t node = leaves_ - 1; node >= 1; --node)
    earliest_end_[node] = std::min(earliest_end_[2 * node], earliest_end_[2 * node + 1]);
}

}  // namespace quintet::viewer

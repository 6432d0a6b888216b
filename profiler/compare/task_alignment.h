/// Which tasks of two sides are the same work.
#pragma once

#include <string>
#include <vector>

#include "profiler/compare/recording_sample.h"

namespace quintet {

/// Tasks that do the same work on both sides: usually one each; where one side fuses what the other
/// does apart, all that is tied together by common semantic ids.
struct AlignedTask {
  std::string
      name;  ///< that of the side with fewer tasks; the second's where they have equally many
  std::string layer;
  std::string shape;
  SpanClass span_class = SpanClass::compute;
  std::vector<std::string> names_a;  ///< distinct, sorted; empty = only the other side has it
  std::vector<std::string> names_b;
  /// Per recording of the side: positions in RecordingSample::tasks.
  std::vector<std::vector<std::size_t>> members_a;
  std::vector<std::vector<std::size_t>> members_b;

  [[nodiscard]] bool matched() const { return !names_a.empty() && !names_b.empty(); }
};

/// In order of first appearance, the second side's first. All samples must be aligned by the same.
std::vector<AlignedTask> align_tasks(const std::vector<RecordingSample>& a,
                                     const std::vector<RecordingSample>& b);

}  // namespace quintet

/// Findings of an import, counted by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// One Finding for each name, however often it is counted. The first message stays.
class FindingCounts {
 public:
  void count(Severity severity, std::string_view name, std::string_view message,
             std::int64_t count = 1) {
    for (Finding& finding : findings_) {
      if (finding.name != name) continue;
      finding.count += count;
      return;
    }
    findings_.push_back({severity, std::string(name), std::string(message), count});
  }

  /// In order of first occurrence.
  [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }

 private:
  std::vector<Finding> findings_;
};

}  // namespace quintet

/// Findings of an import, counted by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
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
      const auto told = restored_.find(finding.name);
      if (told == restored_.end()) return;
      told->second.counted += count;
      finding.count = std::max(told->second.before, told->second.counted);
      return;
    }
    findings_.push_back({severity, std::string(name), std::string(message), count});
  }

  /// Takes over a finding of the trace that a document was made of. What is found again in the
  /// document does not count twice.
  void restore(const Finding& finding) {
    count(finding.severity, finding.name, finding.message, finding.count);
    const auto known = std::find_if(findings_.begin(), findings_.end(),
                                    [&](const Finding& each) { return each.name == finding.name; });
    restored_.try_emplace(finding.name, Restored{known->count, 0});
  }

  /// In order of first occurrence.
  [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }

 private:
  struct Restored {
    std::int64_t before = 0;
    std::int64_t counted = 0;  ///< since then
  };
  std::vector<Finding> findings_;
  std::map<std::string, Restored> restored_;
};

}  // namespace quintet

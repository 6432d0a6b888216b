/// Joins work of devices with the calls that launched it, inside one correlation scope each.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/import/index_table.h"

namespace quintet {

/// The calls of an import by (scope, correlation id). A call is a launch exactly when device work
/// has its correlation; names do not decide.
class LaunchTable {
 public:
  struct Call {
    std::uint32_t scope = 0;
    std::uint32_t correlation = 0;
    std::int64_t begin_ns = 0;
    std::int64_t process = 0;
    std::uint32_t task = 0;
    bool ambiguous = false;  ///< two processes use this correlation in one scope
    bool launched = false;   ///< device work has this correlation
  };

  /// Of calls with the same key in one process the earliest counts.
  void add(const Call& call) {
    const std::uint64_t hash = hash_of(call.scope, call.correlation);
    const std::uint32_t known = find_index(call.scope, call.correlation);
    if (known == IndexTable::kNone) {
      index_.insert(hash, static_cast<std::uint32_t>(calls_.size()));
      calls_.push_back(call);
      return;
    }
    Call& first = calls_[known];
    if (first.process != call.process) {
      first.ambiguous = true;
    } else if (call.begin_ns < first.begin_ns) {
      first.begin_ns = call.begin_ns;
      first.task = call.task;
    }
  }

  /// The call with this correlation; null where none was recorded.
  Call* find(std::uint32_t scope, std::uint32_t correlation) {
    const std::uint32_t index = find_index(scope, correlation);
    return index == IndexTable::kNone ? nullptr : &calls_[index];
  }

  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  [[nodiscard]] Call& call(std::uint32_t position) { return calls_[position]; }
  [[nodiscard]] std::uint32_t position_of(const Call& call) const {
    return static_cast<std::uint32_t>(&call - calls_.data());
  }

 private:
  // Neighbouring ids lie in neighbouring slots: traces count them up.
  static std::uint64_t hash_of(std::uint32_t scope, std::uint32_t correlation) {
    return scope * 0x9E3779B97F4A7C15ULL + correlation;
  }
  [[nodiscard]] std::uint32_t find_index(std::uint32_t scope, std::uint32_t correlation) const {
    return index_.find(hash_of(scope, correlation), [&](std::uint32_t index) {
      return calls_[index].scope == scope && calls_[index].correlation == correlation;
    });
  }

  std::vector<Call> calls_;
  IndexTable index_;
};

}  // namespace quintet

/// Joins work of devices with the calls that launched it, inside one correlation scope each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// The calls of an import by (scope, correlation id, begin), 16 bytes each. A call is a launch exactly
/// when device work has its correlation; names do not decide. Ids may be used again: work belongs to
/// the latest call before it. Filled once, then sorted, then asked. Borrows the spans, which must not
/// move meanwhile.
class LaunchTable {
 public:
  struct Call {
    std::uint32_t correlation = 0;  ///< as the file counts
    std::uint32_t span = 0;         ///< of the call
    std::uint32_t id = 0;           ///< unique in the trace
    bool ambiguous = false;         ///< several processes use this correlation in one scope
    bool launched = false;          ///< device work is joined with it
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// `scope_of_lane`, `process_of_lane`: a number for each scope and each process of an import.
  LaunchTable(const SpanColumns& spans, const std::vector<std::uint32_t>& scope_of_lane,
              const std::vector<std::uint32_t>& process_of_lane)
      : spans_(spans), scope_of_lane_(scope_of_lane), process_of_lane_(process_of_lane) {}

  void reserve(std::size_t calls) { calls_.reserve(calls); }
  void add(const Call& call) { calls_.push_back(call); }
  /// To be called once, behind the last add(). A call inside another one of the same key and
  /// process (the driver's inside the runtime's) is the same launch: the outer one stays.
  void sort();
  /// The latest call with this correlation that began at or before a time; the first one where all
  /// began later; kNone where there is none. Near-constant time for work in the order of calls.
  [[nodiscard]] std::uint32_t find(std::uint32_t in_scope, std::uint32_t correlation,
                                   std::int64_t time_ns);

  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  [[nodiscard]] Call& call(std::uint32_t position) { return calls_[position]; }
  [[nodiscard]] std::int64_t begin_ns(const Call& call) const { return spans_.begin_ns[call.span]; }
  [[nodiscard]] std::int64_t end_ns(const Call& call) const { return spans_.end_ns[call.span]; }
  [[nodiscard]] std::uint32_t scope(const Call& call) const {
    return scope_of_lane_[spans_.lane[call.span]];
  }
  [[nodiscard]] std::uint32_t process(const Call& call) const {
    return process_of_lane_[spans_.lane[call.span]];
  }
  /// True where the call before it in the table has the same key.
  [[nodiscard]] bool repeats(std::size_t position) const;
  /// Spans of the calls that sort() left out, each with the position of the call that it is part of.
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::uint32_t>>& inner_spans() const {
    return inner_spans_;
  }
  /// Forgets all calls.
  void clear() {
    calls_ = {};
    inner_spans_ = {};
  }

 private:
  [[nodiscard]] bool same_key(const Call& a, const Call& b) const {
    return a.correlation == b.correlation && scope(a) == scope(b);
  }
  [[nodiscard]] bool comes_before(const Call& a, const Call& b) const;
  /// The position of the first call behind the key and time.
  [[nodiscard]] std::size_t first_behind(std::uint32_t in_scope, std::uint32_t correlation,
                                         std::int64_t time_ns) const;
  void mark_ambiguous();
  void merge_inner();

  const SpanColumns& spans_;
  const std::vector<std::uint32_t>& scope_of_lane_;
  const std::vector<std::uint32_t>& process_of_lane_;
  std::vector<Call> calls_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> inner_spans_;
  std::size_t last_ = 0;  ///< where find() found something
};

}  // namespace quintet

/// The host's calls that put work on a device, whoever recorded them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/trace/trace.h"

namespace quintet {

struct LaunchCall {
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  Interval time;
  std::int32_t step = -1;           ///< as recorded; -1 = none
  std::uint32_t correlation = 0;    ///< of what it launched; 0 = unknown
  std::uint32_t graph = kUnknown;   ///< index into Trace::graphs
  std::uint32_t stream = kUnknown;  ///< lane that it launched on
  std::uint32_t host = kUnknown;    ///< lane of the thread that called
  std::int64_t held_up_ns = 0;      ///< of its time: overhead that a profiler or driver reported
  friend bool operator==(const LaunchCall&, const LaunchCall&) = default;
};

/// Spans of tasks of this kind are what a profiler or a driver did for itself on the threads that it
/// was called on: asked for a buffer, loaded a module.
inline constexpr std::string_view kOverheadKind = "HOST_OVERHEAD";

/// Finds the call that launched something by its correlation. Ids are used again, and both a
/// runtime's call and the driver's beneath it carry one: a call that begins before the one before it
/// of that id has ended is part of it.
class CallIndex {
 public:
  /// `calls` by begin.
  explicit CallIndex(const std::vector<LaunchCall>& calls);
  /// The position of the latest call of that correlation before `begin_ns`; of the first one where
  /// all are later, for clocks skew; nothing where there is none. In time O(log calls).
  [[nodiscard]] std::optional<std::size_t> find(std::uint32_t correlation,
                                                std::int64_t begin_ns) const;

 private:
  struct Entry {
    std::uint32_t correlation = 0;
    std::uint32_t call = 0;
    std::int64_t begin_ns = 0;
  };
  std::vector<Entry> entries_;  ///< by correlation, then begin
};

/// By begin. The launches of the recording, and calls of host lanes under whose correlation work of
/// a device was recorded: what a call launched makes it a launch, not its name.
std::vector<LaunchCall> launch_calls(const Trace& trace);

}  // namespace quintet

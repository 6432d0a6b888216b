/// Why streams stood still: every gap of every stream lane in a step's window, cut into pieces that
/// each belong to one cause.
///
/// A gap ends with a run N. Its time goes, in this order, to
///  1. dependency: until the last run that N depends on (captured edge or conflicting bytes) had
///     ended. If that run filled a batch: data_loader.
///  2. until N's launch had returned: host_sync where the host was blocked, data_loader where
///     it was blocked on a batch, launch for the rest. The launch is that of N's correlation.
///  3. dependency: until the last run had ended that the step's structure makes N's launch wait
///     for (what was launched before on its launch stream, or on one whose event that stream waits
///     for, wherever its tasks ran).
///  4. launch: the rest, which is dispatch. Between the kernels of one task there is nothing else.
/// Gaps that no run of the window ends belong to nothing_to_do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/analysis/step_window.h"
#include "profiler/analysis/task_relations.h"

namespace quintet {

enum class WaitCause : std::uint8_t { dependency, launch, host_sync, data_loader, nothing_to_do };

inline constexpr std::size_t kWaitCauseCount = 5;
inline constexpr std::array<WaitCause, kWaitCauseCount> kWaitCauses = {
    WaitCause::dependency, WaitCause::launch, WaitCause::host_sync, WaitCause::data_loader,
    WaitCause::nothing_to_do};

constexpr std::string_view name_of(WaitCause cause) {
  switch (cause) {
    case WaitCause::dependency:
      return "dependency";
    case WaitCause::launch:
      return "launch";
    case WaitCause::host_sync:
      return "host_sync";
    case WaitCause::data_loader:
      return "data_loader";
    case WaitCause::nothing_to_do:
      return "nothing_to_do";
  }
  return {};
}

struct Wait {
  LaneId lane;
  Interval time;
  WaitCause cause = WaitCause::nothing_to_do;
  std::optional<std::uint32_t> blocker;  ///< the task waited for, where there is one
  std::optional<std::uint32_t> next;     ///< the task that waited; nothing for nothing_to_do
};

/// The waits of a window: by lane, then time. Together with the lanes' busy time they fill the
/// window.
std::vector<Wait> attribute_waits(const Trace& trace, const StepWindow& window,
                                  TaskRelations& relations);

/// Time per cause, by position in kWaitCauses.
using WaitTotals = std::array<std::int64_t, kWaitCauseCount>;

/// The first waits of a window, in the same order.
struct WaitList {
  std::vector<Wait> waits;
  std::size_t left_out = 0;  ///< further ones; those in which several pieces follow count once
};
WaitList list_waits(const Trace& trace, const StepWindow& window, TaskRelations& relations,
                    std::size_t most);

/// The totals of all waits of a window per lane of the trace (host lanes stay zero), without
/// listing them: near-linear where many streams wait for one host.
std::vector<WaitTotals> wait_totals(const Trace& trace, const StepWindow& window,
                                    TaskRelations& relations);

/// Per lane of the trace (host lanes stay zero).
std::vector<WaitTotals> totals_per_lane(const Trace& trace, const std::vector<Wait>& waits);

}  // namespace quintet

/// Real steps in orders that a proof allows, with streams held up at random: a race-free plan gives
/// the same bits every time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/exec/training_session.h"
#include "runtime/model/result.h"

namespace quintet {

struct StressOptions {
  int runs = 20;
  std::int64_t steps = 9;  ///< of the session's schedule, at most
  std::uint64_t seed = 1;  ///< of orders and delays
  std::int64_t longest_delay_ns = 300'000;
};

/// Something that a run left otherwise than the reference did.
struct StressDifference {
  std::string run;  ///< "order 3", "delays 4"
  /// The first step whose loss or hits differ; nothing: of what the last step left behind.
  std::optional<std::int64_t> step;
  std::string tensor;       ///< "loss", "hits", or a tensor that training leaves behind
  std::uint64_t bytes = 0;  ///< that differ
  std::uint64_t of_bytes = 0;
};

struct StressReport {
  int orders = 0;     ///< runs in a linear extension of the happens-before, one task at a time
  int delayed = 0;    ///< runs on streams that were held up
  int differing = 0;  ///< runs with other bits
  std::int64_t steps = 0;
  std::string reference;                      ///< what the runs were compared with
  std::vector<StressDifference> differences;  ///< of the first few runs that differ
  [[nodiscard]] bool same_bits() const { return differing == 0; }
};

/// On the host every other run goes in a linear extension (the first in that of everything as late
/// as possible), the others run on delayed streams; the reference is the order of issue. On another
/// backend all runs are delayed, and the reference is one run of `serial`, a session of the same
/// scenario, backend and gradients; null on the host. Errors: a plan that cannot be unrolled.
/// Throws what a task threw.
Result<StressReport> stress(const TrainingSession& session, Backend& backend,
                            const TrainingSession* serial, const StressOptions& options);

}  // namespace quintet

/// What a run did since the last flush, as messages: spans and all that comes with them, and steps apart, which
/// are never left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "profiler/trace/trace_batch.h"
#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"

namespace quintet {

/// The most spans of one message: 3 MB.
inline constexpr std::size_t kMostSpansOfMessage = 65'536;

/// Tables, spans, untimed activities, waits and launches; `batch.steps` is empty.
struct SpansMessage {
  static constexpr std::string_view kMethod = "spans";
  std::int64_t run = 0;
  std::int64_t sequence = 0;  ///< of the run's spans and steps messages together, from 0
  std::int64_t unsent_spans =
      0;  ///< of this run so far, untimed ones too: there was no room on the link
  std::int64_t unsent_rows = 0;  ///< the same of waits and launches
  TraceBatch batch;

  [[nodiscard]] WireJson to_json() const;
  /// Columns of the right length; whether the indices in them point anywhere is for who has the tables
  /// (profiler/trace/batch_check.h).
  static Result<SpansMessage> from_json(const WireJson& json);
};

struct StepsMessage {
  static constexpr std::string_view kMethod = "steps";
  std::int64_t run = 0;
  std::int64_t sequence = 0;
  std::vector<TraceStep> steps;

  [[nodiscard]] WireJson to_json() const;
  static Result<StepsMessage> from_json(const WireJson& json);
};

}  // namespace quintet

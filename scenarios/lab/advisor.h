/// Advice on a recorded run: single changes of its policy, ranked by what they are predicted to gain.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"
#include "runtime/policy/stream_policy.h"
#include "scenarios/lab/advice_moves.h"
#include "scenarios/lab/predictor.h"

namespace quintet {

/// A change worth making, by the model.
struct Advice {
  std::string title;
  std::string why;
  StreamPolicy policy;            ///< the recorded one with the change made
  double step_ns = 0;             ///< predicted with it
  double gain_ns = 0;             ///< predicted without it, less that: above 0
  std::int64_t memory_bytes = 0;  ///< on the device, more than now
  std::int64_t waits = 0;         ///< between streams in all captured graphs, more than now
  bool race_free = false;
  std::string race;  ///< the first race, where there is one
};

struct AdviceReport {
  double step_ns = 0;             ///< predicted as recorded
  double recorded_ns = 0;         ///< measured; 0 = unknown
  double error_share = 0;         ///< median error to expect of a prediction
  std::vector<Advice> advice;     ///< the greatest gain first
  std::vector<StreamWait> waits;  ///< the longest of the recording
  std::uint64_t tried = 0;        ///< changes that were predicted
  std::uint64_t impossible = 0;   ///< changes that do not plan
  bool complete = true;           ///< false: it was stopped before all were tried
};

struct AdviceOptions {
  std::size_t most = 10;         ///< changes in the report
  std::size_t most_tried = 160;  ///< changes that are planned
  double least_share = 0.001;    ///< of the step: gains below that are not told
};

/// Asked before each change; false ends it with what is known.
using KeepAdvising = std::function<bool(std::size_t done, std::size_t of)>;

/// Plans and predicts each of advice_moves(), and proves those that it tells. Threads: any. Errors:
/// those of the recorded policy's prediction.
Result<AdviceReport> advise(const Trace& trace, const Predictor& predictor,
                            const AdviceOptions& options = {}, const KeepAdvising& keep = {});

}  // namespace quintet

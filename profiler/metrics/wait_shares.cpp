#include "profiler/metrics/wait_shares.h"

#include "profiler/analysis/wait_attribution.h"

namespace quintet {

namespace {

std::string name_for(WaitCause cause) {
  switch (cause) {
    case WaitCause::dependency:
      return "Waiting for a task";
    case WaitCause::launch:
      return "Waiting for a launch";
    case WaitCause::host_sync:
      return "Waiting for the host";
    case WaitCause::data_loader:
      return "Waiting for data";
    case WaitCause::nothing_to_do:
      return "Nothing to do";
  }
  return {};
}

/// How the description of a share ends.
std::string meaning_of(WaitCause cause) {
  switch (cause) {
    case WaitCause::dependency:
      return "until a task had finished that the next one needs.";
    case WaitCause::launch:
      return "until the host had launched the next task, or until the launched and ready task was "
             "dispatched (on a host executor: until a processor was free).";
    case WaitCause::host_sync:
      return "while the host that had to launch the next task was blocked.";
    case WaitCause::data_loader:
      return "until a batch had been read.";
    case WaitCause::nothing_to_do:
      return "with no further task in the step.";
  }
  return {};
}

}  // namespace

std::vector<MetricValue> wait_share_metrics(MetricContext& context) {
  std::array<std::vector<double>, kWaitCauseCount> shares;
  for (const MeasuredStep* step : context.sampled_steps()) {
    const auto totals = wait_totals(context.trace(), *step->window, context.relations());
    WaitTotals sum{};
    std::int64_t idle = 0;
    for (const std::size_t lane : context.used_lanes()) {
      for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause) {
        sum[cause] += totals[lane][cause];
        idle += totals[lane][cause];
      }
    }
    if (idle == 0) continue;
    for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause) {
      shares[cause].push_back(static_cast<double>(sum[cause]) / static_cast<double>(idle));
    }
  }
  std::vector<MetricValue> metrics;
  for (const WaitCause cause : kWaitCauses) {
    const std::string key(name_of(cause));
    auto& values = shares[static_cast<std::size_t>(cause)];
    MetricDefinition definition{"wait/" + key, name_for(cause),
                                "Share of the idle time of all streams in use " + meaning_of(cause),
                                "gaps of that cause / all gaps", MetricHint::percentage};
    metrics.push_back(context.over_work(std::move(definition), std::move(values),
                                        "no stream in use is ever idle"));
  }
  return metrics;
}

}  // namespace quintet

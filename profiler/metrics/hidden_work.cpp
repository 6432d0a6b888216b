#include "profiler/metrics/hidden_work.h"

#include "profiler/analysis/overlap.h"

namespace quintet {

namespace {

MetricValue hidden(const MetricContext& context, SpanClass part, MetricDefinition definition,
                   std::string absence) {
  std::vector<double> shares;
  for (const MeasuredStep* step : context.observed_steps()) {
    const auto share = hidden_share(step->of(part), step->of(SpanClass::compute));
    if (share) shares.push_back(*share);
  }
  if (shares.empty() && !context.observed_steps().empty()) {
    return absent_metric(std::move(definition), std::move(absence));
  }
  return known_over_steps(std::move(definition), std::move(shares), context.not_observed_reason());
}

}  // namespace

std::vector<MetricValue> hidden_work_metrics(MetricContext& context) {
  return {
      hidden(context, SpanClass::transfer,
             {"hidden/transfer", "Hidden transfer",
              "Share of the copy time that lies beneath compute.",
              "U(transfer \xE2\x88\xA9 compute) / U(transfer)", MetricHint::percentage},
             "no copy runs in the timed steps"),
      hidden(context, SpanClass::comm,
             {"hidden/comm", "Communication overlap",
              "Share of the communication time that lies beneath compute (HTA's definition).",
              "U(comm \xE2\x88\xA9 compute) / U(comm)", MetricHint::percentage},
             "one rank: nothing is communicated"),
      hidden(context, SpanClass::update,
             {"hidden/update", "Hidden update",
              "Share of the time of updates (optimizer, clears, casts, statistics, metrics) that "
              "lies beneath compute.",
              "U(update \xE2\x88\xA9 compute) / U(update)", MetricHint::percentage},
             "no update runs in the timed steps"),
  };
}

}  // namespace quintet

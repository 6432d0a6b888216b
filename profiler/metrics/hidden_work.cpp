#include "profiler/metrics/hidden_work.h"

#include <algorithm>
#include <set>
#include <utility>

#include "profiler/analysis/overlap.h"

namespace quintet {

namespace {

MetricValue hidden(const MetricContext& context, SpanClass part, MetricDefinition definition,
                   const std::string& absence) {
  std::vector<double> shares;
  for (const MeasuredStep* step : context.observed_steps()) {
    const auto share = hidden_share(step->of(part), step->of(SpanClass::compute));
    if (share) shares.push_back(*share);
  }
  return context.over_work(std::move(definition), std::move(shares), absence);
}

/// A recording of one device cannot communicate; of several, it just did not in these steps.
std::string no_communication(const MetricContext& context) {
  std::set<std::pair<int, int>> devices;
  for (const std::size_t lane : context.stream_lanes()) {
    const Lane& each = context.trace().lanes[lane];
    devices.emplace(each.rank, each.device);
  }
  const bool comm = std::find(context.classes().begin(), context.classes().end(),
                              SpanClass::comm) != context.classes().end();
  const bool alone = devices.size() <= 1 && !comm && context.provenance("executor") != "imported";
  return alone ? "one rank: nothing is communicated" : "no communication runs in the timed steps";
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
             no_communication(context)),
      hidden(context, SpanClass::update,
             {"hidden/update", "Hidden update",
              "Share of the time of updates (optimizer, clears, casts, statistics, metrics) that "
              "lies beneath compute.",
              "U(update \xE2\x88\xA9 compute) / U(update)", MetricHint::percentage},
             "no update runs in the timed steps"),
  };
}

}  // namespace quintet

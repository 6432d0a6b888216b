#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/trace_batch.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

MetricValue metric(const Trace& trace, const std::string& tag, const Trace* serial = nullptr) {
  const auto metrics = compute_metrics(trace, serial);
  const MetricValue* found = find_metric(metrics, tag);
  if (found == nullptr) {
    ADD_FAILURE() << "no metric " << tag;
    return {};
  }
  return *found;
}

void expect_value(const std::string& tag, double value) {
  const MetricValue found = metric(tiny_trace(), tag);
  EXPECT_EQ(found.state, MetricState::known) << tag << ": " << found.reason;
  EXPECT_DOUBLE_EQ(found.value, value) << tag;
}

TEST(Metrics, StepTimeAndThroughput) {
  expect_value("step/time", 1000);
  expect_value("step/throughput", 4e6);
  expect_value("step/timed", 3);
}

TEST(Metrics, SpreadIsTheQuantilesOverTimedSteps) {
  Trace trace = tiny_trace();
  trace.steps[4].end_ns = 5100;  // timed steps last 1000, 1000, 1100
  const MetricValue time = metric(trace, "step/time");
  EXPECT_EQ(time.value, 1000);
  ASSERT_TRUE(time.spread);
  EXPECT_EQ(time.spread->p05, 1000);
  EXPECT_EQ(time.spread->p95, 1090);
}

TEST(Metrics, BusyIsAUnionPerLane) {
  expect_value("utilisation/any", 0.8);
  expect_value("lane/TRANS/busy", 200);
  expect_value("lane/COMP_1/busy", 450);
  expect_value("lane/COMP_1/utilisation", 0.45);
  expect_value("lane/COMP_2/busy", 0);
  Trace trace = tiny_trace();
  for (std::size_t span = 2; span < trace.spans.size(); span += 5)
    trace.spans.begin_ns[span] -= 100;  // dW overlaps fwd on its own stream
  EXPECT_EQ(metric(trace, "lane/COMP_1/busy").value, 450);
}

TEST(Metrics, ConcurrencyHistogramAndMean) {
  expect_value("concurrency/time/0", 200);
  expect_value("concurrency/time/1", 650);
  expect_value("concurrency/time/2", 150);
  expect_value("concurrency/mean", 950.0 / 800.0);
  expect_value("concurrency/cpu", 0.475);
}

TEST(Metrics, CpuConcurrencyIsUnknownWhereASpanLacksIt) {
  Trace trace = tiny_trace();
  trace.spans.cpu_ns[12] = -1;
  const MetricValue cpu = metric(trace, "concurrency/cpu");
  EXPECT_EQ(cpu.state, MetricState::unknown);
  EXPECT_EQ(cpu.reason, "spans do not carry CPU time");
}

TEST(Metrics, PairOverlapAndHiddenWork) {
  expect_value("overlap/TRANS/COMP_1", 0.5);
  expect_value("overlap/COMP_1/COMP_3", 0.25);
  expect_value("overlap/COMP_3/UPDATE", 0);
  EXPECT_EQ(metric(tiny_trace(), "overlap/COMP_1/COMP_2").state, MetricState::absent);
  expect_value("hidden/transfer", 0.5);
  expect_value("hidden/update", 0);
  const MetricValue comm = metric(tiny_trace(), "hidden/comm");
  EXPECT_EQ(comm.state, MetricState::absent);
  EXPECT_EQ(comm.reason, "one rank: nothing is communicated");
}

TEST(Metrics, AllPairsOfFiveStreamsAreThere) {
  std::size_t pairs = 0;
  for (const MetricValue& value : compute_metrics(tiny_trace()))
    pairs += value.tag().starts_with("overlap/") ? 1 : 0;
  EXPECT_EQ(pairs, 10U);
}

TEST(Metrics, BoundsAndEfficiency) {
  // DEEP is launched, fwd, dX, opt
  expect_value("bound/critical_path", 100 + 600);
  expect_value("bound/call_path", 100);
  expect_value("bound/data_path", 600);
  expect_value("bound/efficiency", 0.6);
  EXPECT_EQ(metric(tiny_trace(), "bound/bandwidth").state, MetricState::unknown);
}

TEST(Metrics, LogicalWidthPerLaunchedGraph) {
  expect_value("width/data/DEEP_FWD_BWD@train", 2);
  expect_value("width/policy/DEEP_FWD_BWD@train", 2);
}

TEST(Metrics, WaitSharesOfAllGapsOfStreamsInUse) {
  expect_value("wait/dependency", 1300.0 / 3050);
  expect_value("wait/launch", 300.0 / 3050);
  expect_value("wait/host_sync", 80.0 / 3050);
  expect_value("wait/data_loader", 20.0 / 3050);
  expect_value("wait/nothing_to_do", 1350.0 / 3050);
}

TEST(Metrics, LaunchOverheadPerStep) {
  expect_value("launch/time", 180);
  expect_value("launch/count", 3);
  expect_value("host_sync/time", 40);
  expect_value("host_sync/count", 1);
}

TEST(Metrics, RatesOfTasksAndWhatNoDeviceDid) {
  expect_value("rate/flops", 5e9);
  expect_value("rate/bytes", 640 / 1e-6);
  for (const char* tag : {"sm/efficiency", "sm/occupancy", "bound/sm_area", "device/kernels",
                          "transfer/host_to_device/bandwidth", "record/unattributed"}) {
    EXPECT_EQ(metric(tiny_trace(), tag).state, MetricState::absent) << tag;
  }
  expect_value("record/untimed", 0);
}

TEST(Metrics, EmptyRegionsAreNotListed) {
  Trace trace = tiny_trace();
  trace.regions[2].bytes = 0;
  EXPECT_EQ(find_metric(compute_metrics(trace), "memory/region/DEEP_GRADIENTS"), nullptr);
}

TEST(Metrics, MemoryBySpaceAndRegion) {
  expect_value("memory/device", 256);
  expect_value("memory/host", 64);
  expect_value("memory/region/FEATURES", 128);
}

TEST(Metrics, TrueGainNeedsASerialRecordingOfTheSameScenario) {
  const MetricValue alone = metric(tiny_trace(), "gain/true");
  EXPECT_EQ(alone.state, MetricState::unknown);
  EXPECT_EQ(alone.reason, "needs a serial recording of the same scenario");
  Trace serial = tiny_serial_trace();
  EXPECT_DOUBLE_EQ(metric(tiny_trace(), "gain/true", &serial).value, 1.25);
  // copy 200/150, fwd 300/250, dW 150/100, dX 200/200, opt 100/100
  EXPECT_DOUBLE_EQ(metric(tiny_trace(), "gain/task_stretch", &serial).value, 950.0 / 800);
  serial.provenance["scenario"] = "another";
  EXPECT_EQ(metric(tiny_trace(), "gain/true", &serial).state, MetricState::unknown);
}

TEST(Metrics, ProbeEffectComesFromProvenance) {
  EXPECT_EQ(metric(tiny_trace(), "probe/slowdown").state, MetricState::unknown);
  Trace trace = tiny_trace();
  trace.provenance["untraced_step_ns"] = "1000";
  trace.provenance["traced_step_ns"] = "1040";
  EXPECT_DOUBLE_EQ(metric(trace, "probe/slowdown").value, 1.04);
  trace.provenance.erase("traced_step_ns");
  trace.provenance["untraced_step_ns"] = "800";
  EXPECT_DOUBLE_EQ(metric(trace, "probe/slowdown").value, 1.25);  // against the recorded steps
  trace.provenance["untraced_step_ns"] = "soon";
  EXPECT_EQ(metric(trace, "probe/slowdown").state, MetricState::unknown);
}

/// Families made of what ran on streams: all unknown in `trace`, with a reason that says why.
void expect_work_unknown(const Trace& trace) {
  const std::set<std::string_view> of_work = {"Utilisation",  "Concurrency", "Hidden work",
                                              "Pair overlap", "Bounds",      "Waits"};
  std::size_t found = 0;
  MetricContext context(trace);
  for (const MetricGroup& group : compute_metric_groups(context)) {
    if (!of_work.contains(group.family)) continue;
    ++found;
    for (const MetricValue& value : group.values) {
      if (value.tag() == "utilisation/at_most") continue;
      EXPECT_EQ(value.state, MetricState::unknown) << value.tag();
      EXPECT_FALSE(value.reason.empty()) << value.tag();
    }
  }
  EXPECT_EQ(found, of_work.size());
  EXPECT_NE(metric(trace, "utilisation/any").reason.find("node records absent"), std::string::npos);
}

/// A recording of launches whose tasks nobody recorded: streams that look idle were not.
TEST(MetricCatalog, WithoutTheSpansOfStreamsNothingMadeOfThemIsKnown) {
  Trace trace = tiny_trace();
  ASSERT_FALSE(trace.launches.empty());
  trace.spans = {};
  expect_work_unknown(trace);
  EXPECT_TRUE(metric(trace, "step/time").known());
  EXPECT_TRUE(metric(trace, "launch/count").known());
}

TEST(MetricCatalog, WholeLaunchesOfGraphsBoundUtilisationAndTellNothingElse) {
  Trace trace = tiny_trace();
  trace.spans = {};
  trace.activities = {{ActivityKind::graph, "DEEP_FWD_BWD@train", {}, {}, {}, {}}};
  for (std::int32_t step = 0; step < 5; ++step)
    append_span(trace.spans, {1000 * step + 10, 1000 * step + 1000, -1, 1, step, 1, 1, 0});
  expect_work_unknown(trace);
  EXPECT_DOUBLE_EQ(metric(trace, "utilisation/at_most").value, 0.99);
}

TEST(MetricCatalog, StepsBetweenSampledOnesAreLeftOutNotIdle) {
  Trace trace = tiny_trace();
  SpanColumns all = std::move(trace.spans);
  trace.spans = {};
  for (std::size_t span = 0; span < all.size(); ++span) {
    if (all.begin_ns[span] / 1000 == 3) continue;  // nobody traced step 3
    append_span(trace.spans,
                {all.begin_ns[span], all.end_ns[span], all.cpu_ns[span], all.task[span],
                 all.step[span], all.lane[span], all.executor_lane[span]});
  }
  const MetricValue any = metric(trace, "utilisation/any");
  EXPECT_DOUBLE_EQ(any.value, 0.8);
  EXPECT_DOUBLE_EQ(any.spread->p05, 0.8);
  EXPECT_EQ(metric(trace, "step/timed").value, 3);
}

TEST(MetricCatalog, EveryMetricSaysWhatItMeansOnceAndUnknownIsNeverANumber) {
  Trace growing = tiny_trace();
  growing.steps.clear();
  for (const Trace& trace :
       {Trace(), growing, tiny_trace(), tiny_serial_trace(), example_trace()}) {
    std::set<std::string> tags;
    for (const MetricValue& value : compute_metrics(trace)) {
      EXPECT_TRUE(tags.insert(value.tag()).second) << value.tag() << " twice";
      EXPECT_FALSE(value.definition.name.empty()) << value.tag();
      EXPECT_FALSE(value.definition.formula.empty()) << value.tag();
      EXPECT_TRUE(value.definition.description.ends_with(".")) << value.tag();
      EXPECT_TRUE(std::isfinite(value.value)) << value.tag();
      EXPECT_EQ(value.known(), value.reason.empty()) << value.tag();
      if (!value.known()) {
        EXPECT_EQ(value.value, 0) << value.tag();
        EXPECT_FALSE(value.spread) << value.tag();
      }
    }
  }
}

TEST(MetricCatalog, SharesStayWithinOne) {
  for (const bool serial : {false, true}) {
    ExampleOptions options;
    options.serial = serial;
    for (const MetricValue& value : compute_metrics(example_trace(options))) {
      if (value.definition.hint != MetricHint::percentage) continue;
      EXPECT_GE(value.value, 0) << value.tag();
      EXPECT_LE(value.value, 1) << value.tag();
    }
  }
}

}  // namespace
}  // namespace quintet

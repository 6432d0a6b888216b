// Predictions of shipped recordings: what was measured is met, what a plan may not do is not done,
// and planted constants are found again.
#include "scenarios/lab/predictor.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

#include "profiler/analysis/step_window.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/whatif/model_fit.h"
#include "profiler/whatif/simulator.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/lab/mapped_step.h"

namespace quintet {
namespace {

Trace recorded(const std::string& name) {
  return read_trace(std::string(QUINTET_RECORDED_DIR) + "/" + name + ".qtrace.gz").value();
}

Predictor predictor_of(const Trace& trace) {
  auto predictor = Predictor::of_trace(trace);
  if (!predictor) throw std::runtime_error(to_string(predictor.error()));
  return std::move(*predictor);
}

StreamPolicy policy_of(const std::string& name, GradientMode gradients, StepMode step) {
  StreamPolicy policy = find_policy(name).value();
  policy.gradients = gradients;
  policy.step = step;
  return policy;
}

struct Measured {
  const char* network;
  const char* policy;
  const char* mode;
};

class EveryMeasuredRun : public testing::TestWithParam<Measured> {};

TEST_P(EveryMeasuredRun, IsPredictedFromTheSerialOneWithinFivePercent) {
  const auto [network, policy, mode] = GetParam();
  const std::string run = std::string(network) + "-" + policy + "-" + mode;
  const Trace serial = recorded(std::string(network) + "-serial-whole_step");
  const Trace measured = recorded(run);
  const Predictor predictor = predictor_of(serial);
  const auto replanner = Replanner::of_trace(measured);
  ASSERT_TRUE(replanner);
  const auto what_if = predictor.what_if(replanner->policy());
  ASSERT_TRUE(what_if) << to_string(what_if.error());
  EXPECT_TRUE(what_if->proof.race_free());
  const double took = recorded_step_ns(measured);
  EXPECT_NEAR(what_if->prediction.step_ns / took, 1, 0.05) << run;
  EXPECT_LE(what_if->prediction.unpriced.size(), 1U) << what_if->prediction.unpriced.front();
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, EveryMeasuredRun,
    testing::Values(Measured{"mlp-b128", "renaissance", "whole_step"},
                    Measured{"mlp-b128", "renaissance-dataflow", "event_sync"},
                    Measured{"mlp-b128", "serial", "event_sync"},
                    Measured{"resnet18-b256", "renaissance", "event_sync"},
                    Measured{"resnet18-b256", "renaissance-dataflow", "whole_step"},
                    Measured{"resnet50-b8", "renaissance-dataflow", "whole_step"},
                    Measured{"resnet50-b8", "renaissance", "event_sync"},
                    Measured{"vgg16bn-b128", "renaissance-dataflow", "whole_step"},
                    Measured{"vgg16bn-b128", "renaissance", "whole_step"}),
    [](const testing::TestParamInfo<Measured>& which) {
      std::string name =
          std::string(which.param.network) + "_" + which.param.policy + "_" + which.param.mode;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Predictor, PredictsTheRecordedPolicyAsItWasRecorded) {
  for (const char* name : {"mlp-b128-serial-whole_step", "mlp-b128-renaissance-whole_step",
                           "resnet50-b8-renaissance-dataflow-event_sync"}) {
    const Trace trace = recorded(name);
    const Predictor predictor = predictor_of(trace);
    const auto what_if = predictor.what_if(predictor.replanner().policy());
    ASSERT_TRUE(what_if);
    EXPECT_NEAR(what_if->prediction.step_ns / predictor.recorded_ns(), 1, 1e-3) << name;
    EXPECT_TRUE(what_if->moved.empty()) << name;
  }
}

TEST(Predictor, TakesOutWhatCompanyCostInARecordingOfSeveralStreams) {
  const Predictor alone = predictor_of(recorded("resnet50-b8-serial-whole_step"));
  const Predictor beside = predictor_of(recorded("resnet50-b8-renaissance-dataflow-whole_step"));
  const auto serial = beside.what_if(find_policy("serial").value());
  ASSERT_TRUE(serial);
  StreamPolicy policy = find_policy("serial").value();
  policy.step = StepMode::whole_step;
  const auto predicted = beside.what_if(policy);
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->prediction.step_ns / alone.recorded_ns(), 1, 0.05);
}

TEST(Predictor, SaysWhichTasksMoved) {
  const Predictor predictor = predictor_of(recorded("mlp-b128-serial-whole_step"));
  const auto what_if = predictor.what_if(find_policy("renaissance").value());
  ASSERT_TRUE(what_if);
  ASSERT_FALSE(what_if->moved.empty());
  for (const MovedTasks& moved : what_if->moved) {
    EXPECT_EQ(moved.from, StreamKind::COMP_1) << moved.what;
    EXPECT_NE(moved.to, StreamKind::COMP_1) << moved.what;
  }
}

TEST(Predictor, MarksRaces) {
  const Trace trace = recorded("resnet50-b8-serial-whole_step");
  const Predictor predictor = predictor_of(trace);
  const StreamPolicy policy = find_policy("renaissance-as-published").value();
  const auto what_if = predictor.what_if(policy);
  ASSERT_TRUE(what_if);
  const auto predicted = predictor.trace_of(*what_if, policy, trace);
  ASSERT_TRUE(predicted);
  const bool races = !what_if->proof.race_free();
  EXPECT_EQ(predicted->provenance.at("verdict") != "race-free", races);
}

/// Spans of a lane never overlap, and a task begins after all that it has to wait for.
void expect_in_order(const Trace& trace, const ExecutionPlan& plan) {
  std::map<std::uint16_t, std::int64_t> lane_end;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::size_t> span_of;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    auto [end, first] = lane_end.try_emplace(trace.spans.lane[span], trace.spans.begin_ns[span]);
    EXPECT_GE(trace.spans.begin_ns[span], end->second - 1) << span;
    end->second = trace.spans.end_ns[span];
    span_of[{trace.spans.task[span], trace.spans.step[span]}] = span;
  }
  for (const auto& [key, graph] : plan.graphs) {
    if (key.graph != GraphId::WHOLE_STEP_A) continue;
    for (const Edge& edge : graph.edges) {
      const auto from = span_of.find({edge.from.value(), 4});
      const auto to = span_of.find({edge.to.value(), 4});
      if (from == span_of.end() || to == span_of.end()) continue;
      EXPECT_GE(trace.spans.begin_ns[to->second], trace.spans.end_ns[from->second] - 1);
    }
  }
}

TEST(Predictor, MakesARecordingThatEveryReaderOfRecordingsTakes) {
  const Trace trace = recorded("mlp-b128-serial-whole_step");
  const Predictor predictor = predictor_of(trace);
  for (const StepMode mode : {StepMode::whole_step, StepMode::event_sync, StepMode::host_sync}) {
    const StreamPolicy policy = policy_of("renaissance-dataflow", GradientMode::separate, mode);
    const auto what_if = predictor.what_if(policy);
    ASSERT_TRUE(what_if) << to_string(what_if.error());
    const auto predicted = predictor.trace_of(*what_if, policy, trace);
    ASSERT_TRUE(predicted) << to_string(predicted.error());
    EXPECT_TRUE(is_predicted(*predicted));
    EXPECT_FALSE(is_predicted(trace));
    EXPECT_FALSE(device_model_of(*predicted));
    EXPECT_EQ(predicted->provenance.at("gpu"), "NVIDIA H200");
    const std::vector<MetricValue> metrics = compute_metrics(*predicted);
    const MetricValue* time = find_metric(metrics, "step/time");
    ASSERT_NE(time, nullptr);
    ASSERT_TRUE(time->known()) << time->reason;
    EXPECT_NEAR(time->value / what_if->prediction.step_ns, 1, 1e-3) << name_of(mode);
    if (mode == StepMode::whole_step) expect_in_order(*predicted, what_if->plan);
  }
}

TEST(Predictor, RefusesWhatNothingIsKnownOf) {
  Trace trace = recorded("mlp-b128-serial-whole_step");
  trace.provenance["gpu"] = "NVIDIA Something Else";
  trace.provenance.erase("calibration");
  const auto unknown = Predictor::of_trace(trace);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().cure.find("quintet calibrate"), std::string::npos);
  trace.provenance["source_file"] = "other.json";
  EXPECT_FALSE(device_model_of(trace));
}

TEST(Predictor, RefusesACalibrationOfAnotherDevice) {
  Trace trace = recorded("mlp-b128-serial-whole_step");
  ASSERT_EQ(trace.provenance.count("calibration"), 1U);
  trace.provenance["gpu"] = "NVIDIA Something Else";
  const auto other = Predictor::of_trace(trace);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("NVIDIA Something Else"), std::string::npos);
}

TEST(Predictor, DoesNotTakeAStepTimeThatIsNone) {
  Trace trace = recorded("mlp-b128-serial-whole_step");
  const double median = [&] {
    trace.provenance.erase("untraced_step_ns");
    return recorded_step_ns(trace);
  }();
  for (const char* text : {"nan", "inf", "-5", "0", "1e300", "", "5 ms"}) {
    trace.provenance["untraced_step_ns"] = text;
    EXPECT_EQ(recorded_step_ns(trace), median) << text;
  }
}

TEST(Predictor, PricesWhereWorkOfSeveralRootsMeets) {
  const Trace trace = recorded("mlp-b128-serial-whole_step");
  const Replanner replanner = Replanner::of_trace(trace).value();
  const auto recorded_plan = replanner.plan(replanner.policy()).value();
  DeviceModel device = shipped_device_model();
  device.graph_root_ns = 0;
  const auto step_ns = [&](const char* policy, double root_join_ns) {
    device.root_join_ns = root_join_ns;
    const auto model = cost_model_with(device, trace, recorded_plan).value();
    const auto mapped =
        find_policy(policy, replanner.input(), weights_of(replanner.input(), model));
    return predict_step(replanner.plan(mapped.value()).value(), model)->step_ns;
  };
  EXPECT_EQ(step_ns("serial", 0), step_ns("serial", 2000)) << "one root";
  // Labels and learning rate have streams of their own; loss and update wait for both sides.
  const double more = step_ns("nimble", 2000) - step_ns("nimble", 0);
  EXPECT_GT(more, 1900);
  EXPECT_LT(more, 3 * 2100);
}

TEST(Predictor, PricesWaitsForAGraphThatEndsOnSeveralStreams) {
  const Trace trace = recorded("mlp-b128-serial-whole_step");
  const Predictor predictor = predictor_of(trace);
  const auto longer_by = [&](const StreamPolicy& policy) {
    const auto plan = predictor.replanner().plan(policy);
    if (!plan) throw std::runtime_error(to_string(plan.error()));
    CostModel costs = predictor.model();
    costs.device.leaf_wait_ns = 0;
    const double without = predict_step(*plan, costs).value().step_ns;
    costs.device.leaf_wait_ns = 5000;
    return predict_step(*plan, costs).value().step_ns - without;
  };
  const PlanInput& input = predictor.replanner().input();
  StreamPolicy single_ends =
      find_policy("ooo-wgrad", input, weights_of(input, predictor.model())).value();
  single_ends.step = StepMode::event_sync;
  EXPECT_EQ(longer_by(single_ends), 0);  // DEEP_FWD_BWD ends on two, long before it is waited for
  // FIRST_LAYER_BWD ends with a dW on one stream and a dB on another, and the update waits for both.
  const StreamPolicy two_ends =
      policy_of("renaissance-dataflow", GradientMode::separate, StepMode::event_sync);
  EXPECT_GT(longer_by(two_ends), 2500);
  StreamPolicy one_graph = two_ends;
  one_graph.step = StepMode::whole_step;
  EXPECT_EQ(longer_by(one_graph), 0);
}

TEST(ModelFit, FindsPlantedConstantsAgain) {
  const Trace trace = recorded("mlp-b128-serial-whole_step");
  const Replanner replanner = Replanner::of_trace(trace).value();
  DeviceModel planted = shipped_device_model();
  planted.graph_ns = 4000;
  planted.fan_out_ns = 400;
  planted.stream_wait_ns = 3000;
  FitCase fit_case{trace, replanner.plan(replanner.policy()).value(), {}};
  const auto model = cost_model_with(planted, trace, fit_case.recorded);
  ASSERT_TRUE(model);
  for (const char* policy : {"serial", "renaissance", "renaissance-dataflow"}) {
    for (const StepMode mode : {StepMode::whole_step, StepMode::event_sync, StepMode::host_sync}) {
      MeasuredPlan measured;
      measured.name = policy;
      measured.plan = replanner.plan(policy_of(policy, GradientMode::separate, mode)).value();
      measured.step_ns = predict_step(measured.plan, *model)->step_ns;
      fit_case.measured.push_back(std::move(measured));
    }
  }
  const auto before = judge_device_model(shipped_device_model(), {fit_case});
  ASSERT_TRUE(before);
  EXPECT_GT(before->device.worst_error, 0.01);
  const auto fitted = fit_device_model(shipped_device_model(), {fit_case}, 20);
  ASSERT_TRUE(fitted) << to_string(fitted.error());
  EXPECT_LT(fitted->device.worst_error, 0.01);
  EXPECT_LT(fitted->device.fit_error, 0.003);
  EXPECT_NEAR(fitted->device.graph_ns, planted.graph_ns, 800);
}

}  // namespace
}  // namespace quintet

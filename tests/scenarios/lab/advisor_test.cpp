#include "scenarios/lab/advisor.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

#include "profiler/whatif/prediction.h"
#include "tests/scenarios/lab/lab_recording.h"

namespace quintet::test {
namespace {

struct Advised {
  LabRecording lab;
  Predictor predictor;
  AdviceReport report;
};

Advised advised(const std::string& name, const AdviceOptions& options = {},
                const KeepAdvising& keep = {}) {
  LabRecording lab = lab_recording(name);
  auto predictor = Predictor::of_trace(lab.trace);
  if (!predictor) throw std::runtime_error(to_string(predictor.error()));
  auto report = advise(lab.trace, *predictor, options, keep);
  if (!report) throw std::runtime_error(to_string(report.error()));
  return {std::move(lab), std::move(*predictor), std::move(*report)};
}

TEST(Advice, IsRankedByGainAndEachGainIsThatOfItsPolicy) {
  const Advised given = advised("resnet18-b256-renaissance-event_sync");
  ASSERT_FALSE(given.report.advice.empty());
  double last = given.report.advice.front().gain_ns;
  for (const Advice& advice : given.report.advice) {
    EXPECT_LE(advice.gain_ns, last);
    last = advice.gain_ns;
    const auto read = parse_policy(save_policy(advice.policy), "advice.toml");
    ASSERT_TRUE(read) << to_string(read.error());
    const auto plan = given.predictor.replanner().plan(*read);
    ASSERT_TRUE(plan) << to_string(plan.error());
    const auto predicted = predict_step(*plan, given.predictor.model());
    ASSERT_TRUE(predicted) << to_string(predicted.error());
    EXPECT_DOUBLE_EQ(predicted->step_ns, advice.step_ns) << advice.title;
    EXPECT_DOUBLE_EQ(given.report.step_ns - advice.step_ns, advice.gain_ns);
    EXPECT_FALSE(advice.why.empty());
    EXPECT_EQ(advice.why.back(), '.') << advice.why;
    EXPECT_EQ(advice.race_free, advice.race.empty());
  }
}

TEST(Advice, TellsThatGradientsInPlaceMakeOneWaitForTheOther) {
  const Advised given = advised("resnet50-b8-renaissance-whole_step");
  const auto separate =
      std::find_if(given.report.advice.begin(), given.report.advice.end(),
                   [](const Advice& advice) { return advice.title == "gradients = separate"; });
  ASSERT_NE(separate, given.report.advice.end());
  EXPECT_NE(separate->why.find("dX"), std::string::npos) << separate->why;
  EXPECT_NE(separate->why.find("dW"), std::string::npos) << separate->why;
  EXPECT_TRUE(separate->race_free);
}

TEST(Advice, TellsThatThePathShouldBeMoreUrgent) {
  const Advised given = advised("resnet50-b8-renaissance-dataflow-whole_step");
  const auto urgent =
      std::find_if(given.report.advice.begin(), given.report.advice.end(),
                   [](const Advice& advice) { return advice.title.starts_with("priority "); });
  ASSERT_NE(urgent, given.report.advice.end());
  EXPECT_GT(urgent->gain_ns, 0);
  EXPECT_NE(urgent->why.find("issued first"), std::string::npos) << urgent->why;
  EXPECT_TRUE(urgent->race_free);
}

TEST(Advice, KeepsToTheNumberThatIsAskedForAndSaysWhenItWasStopped) {
  AdviceOptions options;
  options.most = 2;
  options.most_tried = 20;
  const Advised few = advised("mlp-b128-renaissance-event_sync", options);
  EXPECT_LE(few.report.advice.size(), 2U);
  EXPECT_LE(few.report.tried + few.report.impossible, 20U);
  EXPECT_TRUE(few.report.complete);
  const Advised stopped = advised("mlp-b128-renaissance-event_sync", {},
                                  [](std::size_t done, std::size_t) { return done < 3; });
  EXPECT_FALSE(stopped.report.complete);
  EXPECT_EQ(stopped.report.tried + stopped.report.impossible, 3U);
}

TEST(Advice, ListsTheLongestWaitsFirst) {
  const LabRecording lab = lab_recording("resnet18-b256-renaissance-event_sync");
  const std::vector<StreamWait> waits = longest_waits(lab.trace);
  ASSERT_FALSE(waits.empty());
  EXPECT_TRUE(std::is_sorted(waits.begin(), waits.end(),
                             [](const auto& a, const auto& b) { return a.ns > b.ns; }));
  EXPECT_TRUE(longest_waits(Trace{}).empty());
}

}  // namespace
}  // namespace quintet::test

#include "scenarios/lab/policy_tuner.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "profiler/whatif/prediction.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/scenarios/lab/lab_recording.h"

namespace quintet::test {
namespace {

TuneReport tuned(const LabRecording& lab, const TuneOptions& options, const KeepTuning& keep = {}) {
  auto report = tune(lab.run, lab.costs, options, keep);
  EXPECT_TRUE(report) << to_string(report.error());
  return report ? std::move(*report) : TuneReport{};
}

TuneOptions budget(std::uint64_t candidates) {
  TuneOptions options;
  options.candidates = candidates;
  return options;
}

TEST(Tuning, IsNeverWorseThanAnyKnownPolicyAndItsFileSaysTheSame) {
  for (const char* name : {"mlp-b128-serial-whole_step", "resnet18-b256-serial-whole_step",
                           "resnet50-b8-renaissance-dataflow-event_sync"}) {
    const LabRecording lab = lab_recording(name);
    const TuneReport report = tuned(lab, budget(4000));
    ASSERT_FALSE(report.front.empty());
    const RatedPolicy& best = report.front.front();
    EXPECT_TRUE(best.race_free);
    EXPECT_GT(report.candidates, 4000U - 600U);
    for (const RatedPolicy& known : report.known) {
      if (known.race_free) {
        EXPECT_LE(best.step_ns, known.step_ns) << name << " " << known.policy.name;
      }
    }
    const auto read = parse_policy(save_policy(best.policy), "tuned.toml");
    ASSERT_TRUE(read) << to_string(read.error());
    const auto plan = lab.run.plan(*read);
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_DOUBLE_EQ(predict_step(*plan, lab.costs)->step_ns, best.step_ns);
    EXPECT_TRUE(prove(*plan)->race_free());
    EXPECT_GT(report.bound.ns(), 0);
    EXPECT_LE(std::max(report.bound.path_ns, report.bound.area_ns), best.step_ns * (1 + 1e-9));
  }
}

TEST(Tuning, KnowsEveryBuiltInAndComputedPolicyInEveryMode) {
  const LabRecording lab = lab_recording("mlp-b128-serial-whole_step");
  const TuneReport report = tuned(lab, budget(600));
  EXPECT_EQ(report.known.size() + report.rejected,
            1 + 6 * (policy_catalog().size() + computed_catalog().size()));
  EXPECT_TRUE(std::is_sorted(
      report.known.begin(), report.known.end(),
      [](const RatedPolicy& a, const RatedPolicy& b) { return a.step_ns < b.step_ns; }));
}

TEST(Tuning, GivesTheSameAnswerForTheSameSeedAndBudget) {
  const LabRecording lab = lab_recording("mlp-b128-serial-whole_step");
  const TuneReport first = tuned(lab, budget(3000));
  const TuneReport second = tuned(lab, budget(3000));
  ASSERT_EQ(first.front.size(), second.front.size());
  for (std::size_t at = 0; at < first.front.size(); ++at)
    EXPECT_EQ(first.front[at].policy, second.front[at].policy);
}

TEST(Tuning, ListsAFrontOfTimeAndMemoryWithinTheLimit) {
  const LabRecording lab = lab_recording("resnet18-b256-serial-whole_step");
  const TuneReport free = tuned(lab, budget(2000));
  for (std::size_t at = 1; at < free.front.size(); ++at) {
    EXPECT_GE(free.front[at].step_ns, free.front[at - 1].step_ns);
    EXPECT_LT(free.front[at].memory_bytes, free.front[at - 1].memory_bytes);
  }
  TuneOptions options = budget(2000);
  options.most_memory_bytes = free.front.back().memory_bytes;
  for (const RatedPolicy& each : tuned(lab, options).front)
    EXPECT_LE(each.memory_bytes, options.most_memory_bytes);
  options.most_memory_bytes = 1;
  const auto none = tune(lab.run, lab.costs, options);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("limit of memory"), std::string::npos);
}

TEST(Tuning, StopsAtOnceWithTheBestSoFar) {
  const LabRecording lab = lab_recording("mlp-b128-serial-whole_step");
  const TuneReport report = tuned(lab, {}, [](const TuneProgress&) { return false; });
  ASSERT_FALSE(report.front.empty());
  EXPECT_LE(report.front.front().step_ns, report.known.front().step_ns);
  EXPECT_EQ(report.known.size() + report.rejected + report.unrated,
            1 + 6 * (policy_catalog().size() + computed_catalog().size()));
  EXPECT_GT(report.unrated, 0U);
}

TEST(Tuning, GivesEveryExceptionAReason) {
  const LabRecording lab = lab_recording("resnet18-b256-serial-whole_step");
  for (const RatedPolicy& each : tuned(lab, budget(3000)).front) {
    if (each.origin != PolicyOrigin::search) continue;
    EXPECT_NE(each.policy.description.find("seed 1"), std::string::npos);
    for (const LayerRule& rule : each.policy.layers)
      EXPECT_FALSE(rule.reason.empty()) << rule.glob;
  }
}

}  // namespace
}  // namespace quintet::test

#include "profiler/compare/comparability.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/compare/compare_traces.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

RecordingSample with(const std::string& key, const std::string& value, std::uint64_t seed = 42) {
  ExampleOptions options;
  options.seed = seed;
  Trace trace = example_trace(options);
  trace.provenance[key] = value;
  return sampled(trace, value);
}

const Caveat* named(const std::vector<Caveat>& caveats, const std::string& name) {
  const auto found = std::find_if(caveats.begin(), caveats.end(),
                                  [&name](const Caveat& caveat) { return caveat.name == name; });
  return found == caveats.end() ? nullptr : &*found;
}

struct Disagreement {
  const char* key;
  const char* caveat;
  bool refuses;
};

TEST(Comparability, NamesEveryDisagreementThatMatters) {
  constexpr auto kCases = std::to_array<Disagreement>({{"scenario", "other_scenario", true},
                                                       {"batch", "other_batch", true},
                                                       {"lowering", "other_lowering", true},
                                                       {"executor", "other_executor", true},
                                                       {"gpu", "other_gpu", true},
                                                       {"cpu", "other_cpu", true},
                                                       {"cuda_driver", "other_driver", false},
                                                       {"cudnn", "other_library", false},
                                                       {"connections", "other_connections", false},
                                                       {"record_mode", "other_record_mode", false},
                                                       {"machine", "other_machine", false}});
  for (const Disagreement& each : kCases) {
    const auto caveats = caveats_of({with(each.key, "one")}, {with(each.key, "two", 7)});
    const Caveat* found = named(caveats, each.caveat);
    ASSERT_NE(found, nullptr) << each.key;
    EXPECT_EQ(found->refuses, each.refuses) << each.key;
    EXPECT_THAT(found->message, HasSubstr("one against two"));
    EXPECT_FALSE(found->cure.empty());
  }
}

TEST(Comparability, SaysNothingOfTwoPoliciesOfOneScenario) {
  EXPECT_TRUE(caveats_of({with("policy", "serial")}, {with("policy", "renaissance", 7)}).empty());
}

TEST(Comparability, WarnsOfAProbeEffectBeyondFivePercent) {
  const double step = median_of(sampled(example_trace()).step_time_ns);
  const auto effect = [&](double ratio) {
    return caveats_of({with("untraced_step_ns", std::to_string(step / ratio))},
                      {with("policy", "serial", 7)});
  };
  const auto caveats = effect(1.08);
  const Caveat* found = named(caveats, "probe_effect");
  ASSERT_NE(found, nullptr);
  EXPECT_FALSE(found->refuses);
  EXPECT_THAT(found->message, HasSubstr("1.08 times"));
  EXPECT_TRUE(effect(1.04).empty());
}

TEST(Comparability, RefusesARecordingThatIsGivenTwice) {
  const RecordingSample one = sampled(example_trace(), "one.qtrace");
  RecordingSample copy = one;
  copy.file = "copy.qtrace";
  const auto caveats = caveats_of({one}, {with("policy", "serial", 7), copy});
  const Caveat* found = named(caveats, "repeated_recording");
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->refuses);
  EXPECT_THAT(found->message, HasSubstr("one.qtrace and copy.qtrace"));
}

TEST(Comparability, RefusesASideThatMixesThings) {
  const auto caveats = caveats_of({with("policy", "serial", 1), with("policy", "renaissance", 2)},
                                  {with("policy", "serial", 3)});
  ASSERT_NE(named(caveats, "mixed_side"), nullptr);
  EXPECT_TRUE(caveats.front().refuses);
}

TEST(Comparability, TellsWhatARecordingLostAndNotWhatItMerelyNotes) {
  Trace trace = example_trace();
  trace.findings = {{Severity::notice, "few_processors", "two processors", 1},
                    {Severity::data_loss, "dropped_records", "3 records were dropped", 3}};
  const auto caveats = caveats_of({sampled(trace, "a")}, {with("policy", "serial", 7)});
  ASSERT_EQ(caveats.size(), 1U);
  EXPECT_EQ(caveats.front().name, "dropped_records");
  EXPECT_FALSE(caveats.front().refuses);
}

TEST(Comparability, NamesRecordingsThatAreIncompleteOrUntimed) {
  Trace growing = example_trace();
  growing.state = RecordingState::abandoned;
  const auto incomplete = caveats_of({sampled(growing)}, {with("policy", "serial", 7)});
  EXPECT_NE(named(incomplete, "incomplete_recording"), nullptr);
  ExampleOptions brief;
  brief.train_steps = 1;
  const auto untimed = caveats_of({sampled(example_trace(brief))}, {with("policy", "serial", 7)});
  ASSERT_NE(named(untimed, "untimed_steps"), nullptr);
  EXPECT_TRUE(named(untimed, "untimed_steps")->refuses);
}

}  // namespace
}  // namespace quintet

#include "scenarios/lab/measurement_choice.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quintet {
namespace {

using testing::ElementsAre;

/// Policies that differ by what they do, made one by one.
class Rated {
 public:
  Rated& add(const std::string& name, PolicyOrigin origin, double step_ns, bool race_free = true) {
    RatedPolicy policy;
    policy.policy.name = name;
    policy.policy.priorities[0] = -static_cast<int>(all_.size());
    policy.origin = origin;
    policy.step_ns = step_ns;
    policy.race_free = race_free;
    all_.push_back(policy);
    return *this;
  }
  /// Once more what a place does, under another name.
  Rated& add_same(const std::string& name, std::size_t place, PolicyOrigin origin) {
    all_.push_back(all_[place]);
    all_.back().policy.name = name;
    all_.back().origin = origin;
    return *this;
  }
  [[nodiscard]] std::vector<std::size_t> choose(std::size_t count,
                                                std::optional<std::size_t> first = {}) const {
    std::vector<const RatedPolicy*> pointers;
    for (const RatedPolicy& each : all_)
      pointers.push_back(&each);
    return choose_to_measure(pointers, count, first);
  }

 private:
  std::deque<RatedPolicy> all_;
};

constexpr PolicyOrigin kFound = PolicyOrigin::search;
constexpr PolicyOrigin kComputed = PolicyOrigin::computed;

TEST(MeasurementChoice, TakesHalfOfWhatWasFoundAndHalfOfWhatIsKnown) {
  Rated rated;
  rated.add("f", kFound, 1).add("f", kFound, 2).add("f", kFound, 3).add("f", kFound, 4);
  rated.add("heft", kComputed, 5).add("nimble", kComputed, 6).add("opara", kComputed, 7);
  EXPECT_THAT(rated.choose(4), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(rated.choose(3), ElementsAre(0, 1, 4));
  EXPECT_THAT(rated.choose(1), ElementsAre(0));
}

TEST(MeasurementChoice, FillsUpFromTheOtherSide) {
  Rated found;
  found.add("f", kFound, 1).add("f", kFound, 2).add("f", kFound, 3).add("heft", kComputed, 4);
  EXPECT_THAT(found.choose(4), ElementsAre(0, 1, 2, 3));
  Rated known;
  known.add("heft", kComputed, 1).add("nimble", kComputed, 2).add("opara", kComputed, 3);
  EXPECT_THAT(known.choose(2), ElementsAre(0, 1));
}

TEST(MeasurementChoice, TakesAKnownPolicyInItsBestModesOnly) {
  Rated rated;
  rated.add("heft", kComputed, 2).add("heft", kComputed, 1).add("nimble", kComputed, 3);
  EXPECT_THAT(rated.choose(2), ElementsAre(1, 2));
}

TEST(MeasurementChoice, AddsTheYardsticksHoweverSlowAndWhatRunsAnyway) {
  Rated rated;
  rated.add("f", kFound, 1).add("heft", kComputed, 2).add("serial", PolicyOrigin::built_in, 9);
  rated.add("renaissance", PolicyOrigin::built_in, 8).add("mine", PolicyOrigin::recording, 7);
  EXPECT_THAT(rated.choose(2), ElementsAre(0, 1, 3, 2));
  EXPECT_THAT(rated.choose(2, 4), ElementsAre(4, 0, 1, 3, 2));
}

TEST(MeasurementChoice, RunsNothingTwiceAndNothingThatRaces) {
  Rated rated;
  rated.add("f", kFound, 1, false).add("f", kFound, 2).add("serial", PolicyOrigin::built_in, 9);
  rated.add_same("serial (step = whole_step)", 2, PolicyOrigin::recording);
  EXPECT_THAT(rated.choose(5, 3), ElementsAre(3, 1));
  EXPECT_THAT(rated.choose(0), ElementsAre(2));
}

TEST(MeasurementChoice, RunsAgainWhatOneRunDoesNotTellApart) {
  const auto again = [](std::vector<std::int64_t> step_ns) {
    return choose_to_measure_again(step_ns);
  };
  EXPECT_THAT(again({10'000, 10'400, 10'199, 10'200, 10'201}), ElementsAre(3, 2, 0));
  EXPECT_THAT(again({10'000, 10'201}), ElementsAre());
  EXPECT_THAT(again({10'000}), ElementsAre());
  EXPECT_THAT(again({}), ElementsAre());
}

}  // namespace
}  // namespace quintet

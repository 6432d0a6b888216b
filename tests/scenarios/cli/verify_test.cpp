#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

class Verify : public CliTest {
 protected:
  /// The article's mapping with the user's own waits, which are none.
  void write_racing_policy() const {
    write("racing.toml",
          with_line(policy_text("renaissance-dataflow"), "sync", "sync = \"manual\""));
  }
};

TEST_F(Verify, BuiltInPoliciesAreRaceFree) {
  const Json list = run_json({"scenarios", "--json"});
  for (const char* scenario : {"generated-lenet", "generated-mlp"}) {
    for (const Json& policy : list.at("policies")) {
      const Json proof = run_json({"verify", scenario, "--policy", policy.at("name"), "--json"});
      EXPECT_EQ(proof.at("verdict"), "race-free");
      EXPECT_EQ(proof.at("races"), Json::array());
      EXPECT_EQ(proof.at("ordered_pairs"), proof.at("conflicting_pairs"));
      EXPECT_GT(proof.at("conflicting_pairs"), 0);
    }
  }
}

TEST_F(Verify, ComputedPoliciesAreRaceFreeInEveryStepMode) {
  const Json list = run_json({"scenarios", "--json"});
  ASSERT_FALSE(list.at("computed_policies").empty());
  for (const Json& policy : list.at("computed_policies")) {
    for (const char* step : {"host_sync", "event_sync", "whole_step"}) {
      const Json proof = run_json(
          {"verify", "generated-mlp", "--policy", policy.at("name"), "--step", step, "--json"});
      EXPECT_EQ(proof.at("verdict"), "race-free") << policy.at("name") << " " << step;
    }
  }
}

TEST_F(Verify, TextSaysTheVerdict) {
  EXPECT_EQ(run_fine({"verify", "generated-lenet"})
                .rfind("generated-lenet under renaissance: race-free\n", 0),
            0U);
}

TEST_F(Verify, WritesNothing) {
  run_fine({"verify", "generated-lenet"});
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Verify, NothingIsCapturedForTheHost) {
  EXPECT_TRUE(run_json({"verify", "generated-mlp", "--json"}).at("captured").is_null());
  const std::string text =
      run_fine({"verify", "generated-mlp", "--executor", "host", "--plan-search", "first"});
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("captured")));
}

TEST_F(Verify, AnUnknownExecutorIsRefused) {
  expect_refusal({"verify", "generated-mlp", "--executor", "gpu"}, {"'gpu'", "quintet devices"});
}

TEST_F(Verify, WithoutAGpuTheCommandsSayWhatIsMissing) {
  const Json missing = run_json({"devices", "--json"}).at("missing");
  if (missing.empty()) GTEST_SKIP() << "this machine has a GPU";
  const std::string reason = missing.at(0).at("reason");
  for (const char* command : {"verify", "run"}) {
    expect_refusal({command, "generated-mlp", "--executor", "cuda"}, {reason, "--executor host"});
    expect_refusal({command, "generated-mlp", "--executor", "cuda", "--plan-search", "first"},
                   {reason, "--executor host"});
  }
}

TEST_F(Verify, RacesAreNamedWithTheirCureAndExitStatusOne) {
  write_racing_policy();
  const CommandResult result =
      run({"verify", "generated-lenet", "--policy", "racing.toml", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  const Json proof = Json::parse(result.out);
  EXPECT_EQ(proof.at("verdict"), "races");
  EXPECT_LT(proof.at("ordered_pairs"), proof.at("conflicting_pairs"));
  ASSERT_GT(proof.at("races").size(), 0U);
  for (const Json& race : proof.at("races")) {
    EXPECT_NE(race.at("earlier"), race.at("later"));
    EXPECT_LT(race.at("begin"), race.at("end"));
    EXPECT_THAT(race.at("text").get<std::string>(), testing::HasSubstr(race.at("region")));
    EXPECT_FALSE(race.at("cure").get<std::string>().empty());
  }
}

TEST_F(Verify, TextNamesRacesToo) {
  write_racing_policy();
  const CommandResult result = run({"verify", "generated-mlp", "--policy", "racing.toml"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, testing::HasSubstr(" races\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("\n  race: .*\n        cure: let .* wait for "));
}

TEST_F(Verify, AnOptionCanMakeAPolicyRace) {
  EXPECT_EQ(run({"verify", "generated-mlp", "--sync", "manual"}).status, 1);
}

TEST_F(Verify, ARecordingIsProvedAsItWasRecorded) {
  const Json proof =
      run_json({"verify", "recorded/resnet18-b256-renaissance-event_sync", "--json"});
  EXPECT_EQ(proof.at("verdict"), "race-free");
  EXPECT_EQ(proof.at("as_recorded"), true);
  EXPECT_EQ(proof.at("policy"), "renaissance (step = event_sync)");
  ASSERT_FALSE(proof.at("surplus_edges").empty());
  for (const Json& edge : proof.at("surplus_edges")) {
    EXPECT_GT(edge.at("lost_pairs"), 0);
    EXPECT_TRUE(edge.at("waited_ns").is_number());
  }
  EXPECT_GT(proof.at("graphs").size(), 0U);
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Verify, ARecordingIsPlannedAgainUnderAnotherPolicy) {
  const Json proof = run_json(
      {"verify", "recorded/mlp-b128-serial-whole_step", "--policy", "renaissance", "--json"});
  EXPECT_EQ(proof.at("verdict"), "race-free");
  EXPECT_EQ(proof.at("as_recorded"), false);
  EXPECT_EQ(proof.at("policy"), "renaissance");
  const CommandResult racing =
      run({"verify", "recorded/resnet18-b256-renaissance-event_sync", "--sync", "manual"});
  EXPECT_EQ(racing.status, 1);
  EXPECT_THAT(racing.out, testing::ContainsRegex("race: .*\n        these bytes hold .*\n"
                                                 "        cure: "));
}

TEST_F(Verify, OfARecordingNothingButThePolicyCanChange) {
  for (const Words& words : {Words{"--batch", "4"}, Words{"--stress", "2"}}) {
    Words arguments = {"verify", "recorded/mlp-b128-serial-whole_step"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    expect_refusal(arguments, {"is a recording"});
  }
}

TEST_F(Verify, StressKeepsTheBitsOfAProvedPolicyAndShowsWhatARaceDoes) {
  const Json fine = run_json({"verify", "generated-mlp", "--stress", "4", "--json"});
  EXPECT_EQ(fine.at("verdict"), "race-free");
  EXPECT_EQ(fine.at("stress").at("differing"), 0);
  EXPECT_EQ(fine.at("stress").at("orders").get<int>() + fine.at("stress").at("delayed").get<int>(),
            4);
  const Words racing = {"verify", "generated-lenet", "--sync", "manual", "--stress", "3"};
  const CommandResult refused = run(racing);
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.out, testing::HasSubstr("stress: not run"));
  Words allowed = racing;
  allowed.push_back("--allow-races");
  const CommandResult shown = run(allowed);
  EXPECT_EQ(shown.status, 1);
  EXPECT_THAT(shown.out, testing::HasSubstr("with other bits"));
  EXPECT_THAT(shown.out, testing::ContainsRegex("order 0: .* differs"));
}

TEST_F(Verify, RunRefusesRacesAndRecordsNothing) {
  write_racing_policy();
  const CommandResult result = run({"run", "generated-mlp", "--policy", "racing.toml"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, testing::StartsWith("quintet: race: "));
  EXPECT_THAT(result.err, testing::HasSubstr("not run; mend the policy"));
  EXPECT_EQ(folder_.listing(), "racing.toml");
}

TEST_F(Verify, RefusedRunIsStillOneJsonObject) {
  write_racing_policy();
  const CommandResult result = run({"run", "generated-mlp", "--policy", "racing.toml", "--json"});
  EXPECT_EQ(result.status, 1);
  const Json refused = Json::parse(result.out);
  EXPECT_EQ(refused.at("verdict"), "races");
  EXPECT_GT(refused.at("races").size(), 0U);
  EXPECT_EQ(refused.at("steps"), 0);
  EXPECT_TRUE(refused.at("recording").is_null());
}

TEST_F(Verify, RacesThatAreAllowedShowInEveryOutput) {
  write_racing_policy();
  const Json run = run_json({"run", "generated-mlp", "--policy", "racing.toml", "--allow-races",
                             "--steps", "2", "--json", "--out", "a.qtrace"});
  EXPECT_EQ(run.at("verdict"), "races");
  ASSERT_GT(run.at("findings").size(), 0U);
  EXPECT_EQ(run.at("findings").at(0).at("name"), "race");
  EXPECT_EQ(run.at("findings").at(0).at("severity"), "error");
  EXPECT_THAT(run_json({"report", "a.qtrace", "--json"}).at("verdict").get<std::string>(),
              testing::EndsWith(" races"));
  EXPECT_THAT(run_fine({"report", "a.qtrace"}), testing::HasSubstr(" races\n"));
  EXPECT_THAT(run_fine({"run", "generated-mlp", "--policy", "racing.toml", "--allow-races",
                        "--steps", "2", "--out", "a.qtrace"}),
              testing::HasSubstr("(race)"));
}

}  // namespace
}  // namespace quintet

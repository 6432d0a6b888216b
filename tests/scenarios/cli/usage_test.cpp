#include <gmock/gmock.h>
#include <sstream>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

class Usage : public CliTest {};

const Words& commands() {
  static const Words kCommands = {"devices", "scenarios", "run",     "report", "import", "export",
                                  "compare", "check",     "history", "verify", "view"};
  return kCommands;
}

TEST_F(Usage, HelpOfTheProgramNamesEveryCommandAndHowToStart) {
  const std::string help = run_fine({"--help"});
  for (const std::string& command : commands())
    EXPECT_NE(help.find("\n  " + command + " "), std::string::npos) << command;
  EXPECT_NE(help.find("quintet run fashion-lenet"), std::string::npos);
  EXPECT_NE(help.find("Exit status: 0 fine"), std::string::npos);
}

TEST_F(Usage, HelpOfEachCommandTeachesByExamplesOfThatCommand) {
  for (const std::string& command : commands()) {
    const std::string help = run_fine({command, "--help"});
    const std::size_t begin = help.find("Examples:\n");
    ASSERT_NE(begin, std::string::npos) << help;
    std::istringstream examples(help.substr(begin));
    std::string line;
    std::getline(examples, line);
    int count = 0;
    while (std::getline(examples, line) && !line.empty()) {
      EXPECT_EQ(line.rfind("  quintet " + command, 0), 0U) << line;
      ++count;
    }
    EXPECT_GE(count, 2) << help;
  }
}

TEST_F(Usage, OptionsOfTheExamplesExist) {
  for (const std::string& command : commands()) {
    const std::string help = run_fine({command, "--help"});
    const std::size_t begin = help.find("Examples:\n");
    std::istringstream words(help.substr(begin));
    for (std::string word; words >> word;) {
      if (word.rfind("--", 0) != 0) continue;
      EXPECT_NE(help.substr(0, begin).find("  " + word), std::string::npos) << command << word;
    }
  }
}

TEST_F(Usage, VersionIsThreeNumbers) {
  const std::string version = run_fine({"--version"});
  EXPECT_THAT(version, testing::ContainsRegex("^[0-9]+[.][0-9]+[.][0-9]+\n$"));
}

TEST_F(Usage, WithoutArgumentsPrintsTheHelpAsAnError) {
  const CommandResult result = run({});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, run_fine({"--help"}));
}

TEST_F(Usage, MisspeltCommandsAndOptionsGetTheNearestName) {
  expect_refusal(Words{"rnu"}, {"no command rnu", "did you mean \"run\"?"});
  expect_refusal(Words{"--versoin"}, {"no option --versoin", "did you mean \"--version\"?"});
  expect_refusal({"run", "generated-lenet", "--polcy", "serial"},
                 {"run has no option --polcy", "did you mean \"--policy\"?"});
  expect_refusal({"report", "a.qtrace", "--htm", "x"}, {"--htm", "did you mean \"--html\"?"});
}

TEST_F(Usage, AWordTooManyIsNamed) {
  expect_refusal({"run", "generated-lenet", "surplus"}, {"surplus", "quintet run --help"});
  expect_refusal({"devices", "surplus"}, {"surplus", "quintet devices --help"});
}

TEST_F(Usage, AMissingArgumentIsNamed) {
  expect_refusal(Words{"run"}, {"scenario", "quintet run --help"});
  expect_refusal(Words{"report"}, {"recording", "quintet report --help"});
  expect_refusal({"run", "generated-lenet", "--steps"}, {"--steps"});
}

TEST_F(Usage, StepsMustBeAWholeNumberFromOneUp) {
  for (const char* steps : {"0", "-1", "abc", "1.5", "", "99999999999999999999"})
    expect_refusal({"run", "generated-lenet", "--steps", steps}, {"--steps", "whole number"});
}

TEST_F(Usage, AnUnknownValueIsToldWithWhatIsKnown) {
  expect_refusal({"run", "generated-lenet", "--step", "fast"}, {"--step", "fast", "whole_step"});
  expect_refusal({"run", "generated-lenet", "--sync", "none"}, {"--sync", "none", "dataflow"});
  expect_refusal({"run", "generated-lenet", "--gradients", "x"}, {"--gradients", "separate"});
  for (const char* command : {"run", "verify"}) {
    expect_refusal({command, "generated-lenet", "--plan-search", "best"},
                   {"--plan-search", "best", "first", "measured"});
    for (const char* connections : {"0", "33", "two", "1.5"}) {
      expect_refusal({command, "generated-lenet", "--connections", connections},
                     {"--connections", connections, "32"});
    }
  }
}

TEST_F(Usage, OneFormOfOutputAtATime) {
  expect_refusal({"report", "a.qtrace", "--json", "--csv"}, {"--json", "--csv"});
  expect_refusal({"scenarios", "--json", "--show", "serial"}, {"--json", "--show"});
}

TEST_F(Usage, DevicesListsTheHost) {
  EXPECT_NE(run_fine({"devices"}).find("host "), std::string::npos);
  const Json devices = run_json({"devices", "--json"});
  EXPECT_EQ(devices.at("devices").at(0).at("executor"), "host");
  EXPECT_GT(devices.at("devices").at(0).at("memory_bytes"), 0);
}

TEST_F(Usage, EveryListedScenarioAndPolicyCanBeShownAndUsedAsAFile) {
  const Json list = run_json({"scenarios", "--json"});
  EXPECT_GE(list.at("scenarios").size(), 4U);
  for (const Json& policy : list.at("policies")) {
    const std::string name = policy.at("name");
    EXPECT_NE(run_fine({"scenarios"}).find("  " + name + " "), std::string::npos) << name;
    write("policy.toml", run_fine({"scenarios", "--show", name}));
    run_fine({"verify", "generated-mlp", "--policy", "policy.toml"});
  }
  for (const Json& policy : list.at("computed_policies")) {
    const std::string name = policy.at("name");
    EXPECT_NE(run_fine({"scenarios"}).find("  " + name + " "), std::string::npos) << name;
    expect_refusal({"scenarios", "--show", name}, {"computed", "--policy " + name});
  }
  write("scenario.toml", run_fine({"scenarios", "--show", "generated-lenet"}));
  run_fine({"verify", "scenario.toml"});
  expect_refusal({"scenarios", "--show", "nothing"}, {"'nothing'", "quintet scenarios"});
}

TEST_F(Usage, AModeOfRecordingThatIsNoneGetsTheListOfThem) {
  expect_refusal({"run", "generated-mlp", "--record", "weird"},
                 {"--record", "weird", "off", "graph", "node", "sampled"});
}

}  // namespace
}  // namespace quintet

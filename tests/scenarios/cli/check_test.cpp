#include <filesystem>
#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"
#include "tests/scenarios/cli/example_recording.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Check : public CliTest {
 protected:
  /// Three recordings in the folder `side`, a layer of which takes `slow_ns` longer.
  void record(const std::string& side, std::uint64_t seed, std::int64_t slow_ns = 0) const {
    fs::create_directory(folder_.file(side));
    for (std::uint64_t run = 0; run < 3; ++run) {
      ExampleOptions options;
      options.seed = seed + run;
      options.train_steps = 30;
      options.task_noise = 0.02;
      options.slow_layer = "conv2";
      options.slow_ns = slow_ns;
      write_example(folder_.file(side + "/" + std::to_string(run) + ".qtrace"), options);
    }
  }
};

TEST_F(Check, PassesTheSameBuild) {
  record("before", 1);
  record("after", 11);
  const std::string text = run_fine({"check", "after", "--baseline", "before"});
  EXPECT_THAT(text, HasSubstr("no regression beyond 1 %"));
}

TEST_F(Check, FailsOnASlowerLayerAndNamesIt) {
  record("before", 1);
  record("after", 11, 100000);
  const CommandResult result =
      run({"check", "after", "--baseline", "before", "--markdown", "c.md", "--junit", "c.xml"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("layer conv2 grew most"));
  EXPECT_THAT(result.out, HasSubstr("task conv2/CONV_FP32_FWD/Y grew most"));
  EXPECT_THAT(read_text(folder_.file("c.md")), HasSubstr("| conv2 |"));
  EXPECT_THAT(read_text(folder_.file("c.xml")), HasSubstr("<failure type=\"regression\""));
}

TEST_F(Check, AllowsWhatTheLimitAllows) {
  record("before", 1);
  record("after", 11, 100000);
  const Json json =
      run_json({"check", "after", "--baseline", "before", "--max-regression", "10%", "--json"});
  EXPECT_EQ(json.at("verdict"), "passed");
}

TEST_F(Check, JsonTellsARegressionToo) {
  record("before", 1);
  record("after", 11, 100000);
  const CommandResult result = run({"check", "after", "--baseline", "before", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(Json::parse(result.out).at("grown_layers").at(0), "conv2");
}

TEST_F(Check, RefusesOtherBatchesUnlessAccepted) {
  run_fine({"run", "generated-mlp", "--steps", "16", "--out", "a.qtrace"});
  run_fine({"run", "generated-mlp", "--steps", "16", "--batch", "16", "--out", "b.qtrace"});
  expect_refusal({"check", "b.qtrace", "--baseline", "a.qtrace"},
                 {"other_scenario: ", "--accept other_scenario"});
  expect_refusal({"check", "b.qtrace", "--baseline", "a.qtrace", "--accept", "other_scenario"},
                 {"other_batch: ", "--accept other_batch"});
  // Whether so few steps suffice for a verdict depends on how quiet the machine is; that the batch no
  // longer stands in the way does not.
  const CommandResult accepted = run(
      {"check", "b.qtrace", "--baseline", "a.qtrace", "--accept", "other_scenario,other_batch"});
  EXPECT_EQ(accepted.err.find("other_batch"), std::string::npos) << accepted.err;
}

TEST_F(Check, RefusesOneRecordingTwiceAndLimitsThatAreNone) {
  record("before", 1);
  expect_refusal({"check", "before", "--baseline", "before"}, {"repeated_recording: "});
  expect_refusal({"check", "before", "--baseline", "before", "--max-regression", "much"},
                 {"--max-regression: 'much' is no share"});
  expect_refusal({"check", "before"}, {"--baseline is required"});
  expect_refusal(
      {"check", "before/0.qtrace", "--baseline", "before/1.qtrace", "--junit", "before/1.qtrace"},
      {"is one of the recordings"});
}

}  // namespace
}  // namespace quintet

#include <fmt/format.h>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

/// Scenario and policy files with one fault each.
class BadFiles : public CliTest {
 protected:
  /// generated-mlp with the line of `key` replaced; both run and verify must refuse it, citing the
  /// line.
  void expect_fault(const std::string& key, const std::string& line, Words words,
                    const std::string& scenario = "generated-mlp") const {
    const std::string text = scenario_text(scenario);
    write("s.toml", with_line(text, key, line));
    words.push_back(fmt::format("s.toml:{}: ", line_of(text, key + " = ")));
    words.emplace_back("; ");
    expect_refusal({"run", "s.toml"}, words);
    expect_refusal({"verify", "s.toml", "--json"}, words);
  }
};

TEST_F(BadFiles, SyntaxErrorsCiteTheLine) {
  expect_fault("batch", "batch = ", {"not valid TOML"});
  expect_fault("network", "network = \"mlp", {"not valid TOML"});
  expect_fault("seed", "seed == 1", {"not valid TOML"});
  expect_fault("epochs", "batch = 7", {"batch"});  // given twice
}

TEST_F(BadFiles, UnknownKeysGetTheNearestName) {
  expect_fault("batch", "bacth = 30", {"bacth", "did you mean \"batch\"?"});
  expect_fault("momentum", "momentun = 0.9", {"momentun", "did you mean \"momentum\"?"});
}

TEST_F(BadFiles, UnknownNamesGetTheNearestName) {
  expect_fault("network", "network = \"mpl\"", {"mpl", "did you mean \"mlp\"?"});
  expect_fault("dataset", "dataset = \"fashion-mnits\"", {"did you mean \"fashion-mnist\"?"});
  expect_fault("schedule", "schedule = \"cosin\"", {"did you mean \"cosine\"?"});
}

TEST_F(BadFiles, WrongTypesAndRangesCiteTheLine) {
  expect_fault("batch", "batch = \"many\"", {"batch"});
  expect_fault("batch", "batch = 0", {"batch"});
  expect_fault("epochs", "epochs = -3", {"epochs"});
  expect_fault("peak", "peak = -0.5", {"peak"});
  expect_fault("peak", "peak = nan", {"peak"});
  expect_fault("hidden", "hidden = [0]", {"hidden"});
  expect_fault("hidden", "hidden = 64", {"hidden"});
  expect_fault("train", "train = 0", {"train"});
}

TEST_F(BadFiles, ShapesThatDoNotFitNameTheLayer) {
  std::string text = scenario_text("generated-lenet");
  text = with_line(with_line(text, "height", "height = 4"), "width", "width = 4");
  write("s.toml", text);
  expect_refusal({"run", "s.toml"}, {"s.toml: ", "layer 'conv2'", "kernel 5", "; "});
  expect_refusal({"verify", "s.toml"}, {"s.toml: ", "layer 'conv2'", "; "});
}

TEST_F(BadFiles, AScenarioThatIsNotThereIsNamed) {
  expect_refusal({"run", "generated-lent"},
                 {"generated-lent", "did you mean \"generated-lenet\"?"});
  expect_refusal({"run", "none/s.toml"}, {"none/s.toml", "; "});
  expect_refusal({"run", "."}, {".: is a folder", "; "});
  const std::string too_long(5000, 'x');
  expect_refusal({"run", too_long}, {"no such scenario file"});
  expect_refusal({"verify", "generated-mlp", "--policy", too_long}, {"no such policy file"});
  expect_refusal({"run", "/dev/zero"}, {"/dev/zero: is larger than", "scenario file"});
  expect_refusal({"run", ""}, {"; "});
}

TEST_F(BadFiles, EmptyAndBinaryScenariosAreRefused) {
  write("empty.toml", "");
  expect_refusal({"run", "empty.toml"}, {"empty.toml", "; "});
  write("binary.toml", std::string("\x00\xff\xfe\x80", 4));
  expect_refusal({"run", "binary.toml"}, {"binary.toml:1: ", "; "});
}

TEST_F(BadFiles, UnknownPoliciesGetTheNearestName) {
  expect_refusal({"run", "generated-mlp", "--policy", "renaisance"},
                 {"renaisance", "did you mean \"renaissance\"?"});
  expect_refusal({"verify", "generated-mlp", "--policy", "serail"}, {"did you mean \"serial\"?"});
  expect_refusal({"run", "generated-mlp", "--policy", "nimbel"}, {"did you mean \"nimble\"?"});
  expect_refusal({"run", "generated-mlp", "--policy", "mine.toml"},
                 {"\"mine.toml\"", "serial", "ooo-wgrad", "or the path of a policy file"});
  write("s.toml", with_line(scenario_text("generated-mlp"), "policy", "policy = \"serail\""));
  expect_refusal({"run", "s.toml"}, {"serail", "did you mean \"serial\"?"});
}

TEST_F(BadFiles, AnOpKindWithoutARuleIsNamedWithTheTask) {
  const std::string text = policy_text("renaissance");
  write("p.toml", with_line(text, "MAXPOOL_FP32_FWD", "# nothing"));
  expect_refusal({"run", "generated-lenet", "--policy", "p.toml"},
                 {"p.toml: ", "no stream for op kind MAXPOOL_FP32_FWD", "pool1/MAXPOOL_FP32_FWD/Y",
                  "; add MAXPOOL_FP32_FWD = "});
  // The perceptron has no such op.
  run_fine({"verify", "generated-mlp", "--policy", "p.toml"});
}

TEST_F(BadFiles, FaultsOfAPolicyFileCiteTheLine) {
  const std::string text = policy_text("renaissance");
  const auto expect_line = [&](const std::string& key, const std::string& line, Words words) {
    write("p.toml", with_line(text, key, line));
    words.push_back(fmt::format("p.toml:{}: ", line_of(text, key + " = ")));
    words.emplace_back("; ");
    expect_refusal({"run", "generated-mlp", "--policy", "p.toml"}, words);
  };
  expect_line("sync", "sync = \"adjacent", {"not valid TOML"});
  expect_line("sync", "snyc = \"adjacent\"", {"did you mean \"sync\"?"});
  expect_line("sync", "sync = \"dataflwo\"", {"did you mean \"dataflow\"?"});
  expect_line("RELU_FP32_FWD", "RELU_FP32_FWD = \"COMP_4\"", {"COMP_4"});
  expect_line("RELU_FP32_FWD", "RLEU_FP32_FWD = \"COMP_3\"", {"did you mean \"RELU_FP32_FWD\"?"});
}

TEST_F(BadFiles, AnUnknownExecutorIsRefused) {
  expect_refusal({"run", "generated-mlp", "--executor", "gpu"}, {"'gpu'", "quintet devices"});
}

}  // namespace
}  // namespace quintet

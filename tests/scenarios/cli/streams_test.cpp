#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

/// Standard output that is full, closed or has lost its reader.
class StandardOutput : public CliTest {
 protected:
  [[nodiscard]] CommandResult run_into(OutputKind output, const Words& arguments) const {
    CommandSetup command = setup(arguments);
    command.output = output;
    return CommandProcess(command).wait();
  }
};

TEST_F(StandardOutput, FullIsAnErrorAndNeverSilent) {
  for (const Words& words : {Words{"devices"}, Words{"scenarios", "--json"}, Words{"--help"},
                             Words{"verify", "generated-mlp"}}) {
    const CommandResult result = run_into(OutputKind::full_device, words);
    EXPECT_EQ(result.status, 3) << words.front();
    EXPECT_EQ(result.err, "quintet: cannot write standard output: No space left on device\n");
  }
}

TEST_F(StandardOutput, ClosedIsAnErrorAndLeavesTheRecordingAlone) {
  const CommandResult result = run_into(
      OutputKind::closed, {"run", "generated-mlp", "--steps", "3", "--out", "a.qtrace", "--json"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, testing::HasSubstr("cannot write standard output"));
  const Json report = run_json({"report", "a.qtrace", "--json"});
  EXPECT_EQ(report.at("state"), "complete");
  EXPECT_EQ(report.at("losses").size(), 3U);
}

TEST_F(StandardOutput, WithoutAReaderKeepsWhatTheCommandFound) {
  EXPECT_EQ(run_into(OutputKind::reader_gone, {"verify", "generated-mlp"}).status, 0);
  const CommandResult races =
      run_into(OutputKind::reader_gone, {"verify", "generated-mlp", "--sync", "manual"});
  EXPECT_EQ(races.status, 1);
  EXPECT_EQ(races.err, "");
}

}  // namespace
}  // namespace quintet

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>
#include <unistd.h>
#include <vector>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;

/// Recordings that cannot be written where they are wanted: told before the first step.
class BadOutput : public CliTest {
 protected:
  static Words recording_into(const std::string& path) {
    return {"run", "generated-mlp", "--steps", "2", "--out", path};
  }
};

TEST_F(BadOutput, AMissingFolderIsNamedWithTheCommandThatMakesIt) {
  expect_refusal(recording_into("none/deep/a.qtrace"),
                 {"none/deep/a.qtrace: ", "folder none/deep does not exist", "mkdir -p none/deep"});
}

TEST_F(BadOutput, AFolderIsNoRecording) {
  expect_refusal(recording_into("."), {".: is a folder", "; "});
  fs::create_directory(folder_.file("made"));
  expect_refusal(recording_into("made"), {"made: is a folder", "made/run.qtrace"});
  expect_refusal(recording_into("made/"), {"made/"});
}

TEST_F(BadOutput, AFileIsNoFolder) {
  write("file", "text");
  expect_refusal(recording_into("file/a.qtrace"), {"file/a.qtrace: ", "; "});
}

TEST_F(BadOutput, FilesOfOthersAreLeftAlone) {
  write("notes.txt", "mine\n");
  expect_refusal(recording_into("notes.txt"), {"notes.txt: exists", "; "});
  EXPECT_EQ(read_text(folder_.file("notes.txt")), "mine\n");
  expect_refusal(recording_into("/dev/null"), {"/dev/null: is no regular file"});
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(BadOutput, AReadOnlyFolderIsNamedAndLeftEmpty) {
  constexpr uid_t kNobody = 65'534;
  CommandSetup command = setup(recording_into("closed/a.qtrace"));
  if (geteuid() == 0) {  // whom permissions do not stop
    if (!may_execute_command(kNobody)) GTEST_SKIP() << "the build folder is closed to other users";
    command.user = kNobody;
  }
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::create_directory(folder_.file("closed"));
  fs::permissions(folder_.file("closed"), fs::perms(0555));
  expect_refusal(command, {"closed/a.qtrace: ", "Permission denied", "; "});
  fs::permissions(folder_.file("closed"), fs::perms(0755));
}

TEST_F(BadOutput, ARecordingThatAnotherRunIsWritingIsLeftToIt) {
  write("long.toml", with_line(scenario_text("generated-mlp"), "epochs", "epochs = 20000"));
  CommandProcess first(setup({"run", "long.toml", "--out", "a.qtrace", "--json"}));
  ASSERT_TRUE(wait_for_file("a.qtrace", first));
  const CommandResult second = run(recording_into("a.qtrace"));
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("is recording into it"), std::string::npos) << second.err;
  first.send(SIGINT);
  const CommandResult result = first.wait();
  EXPECT_EQ(result.status, 0) << result.err;
  const Json report = run_json({"report", "a.qtrace", "--json"});
  EXPECT_EQ(report.at("state"), "complete");
  EXPECT_EQ(report.at("losses"), Json::parse(result.out).at("losses"));
}

TEST_F(BadOutput, OfRunsThatBeginTogetherOneRecordsAndTheOthersSayWhyNot) {
  constexpr int kRuns = 4;
  write("long.toml", with_line(scenario_text("generated-mlp"), "epochs", "epochs = 20000"));
  std::vector<std::unique_ptr<CommandProcess>> runs;
  for (int i = 0; i < kRuns; ++i) {
    runs.push_back(std::make_unique<CommandProcess>(
        setup({"run", "long.toml", "--out", "a.qtrace", "--json"})));
  }
  const auto running = [&] {
    return std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run->running(); });
  };
  while (running() > 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::vector<CommandResult> recorded;
  for (const auto& run : runs) {
    if (run->running()) run->send(SIGINT);
    const CommandResult result = run->wait();
    if (result.status == 0) {
      recorded.push_back(result);
    } else {
      EXPECT_EQ(result.status, 2);
      EXPECT_NE(result.err.find("quintet: a.qtrace: "), std::string::npos) << result.err;
    }
  }
  ASSERT_EQ(recorded.size(), 1U);
  EXPECT_EQ(run_json({"report", "a.qtrace", "--json"}).at("losses"),
            Json::parse(recorded.front().out).at("losses"));
}

}  // namespace
}  // namespace quintet

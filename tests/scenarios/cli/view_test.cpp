#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>

#include "profiler/trace/trace_file.h"
#include "tests/scenarios/cli/cli_test.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

/// `quintet view` where the viewer was built.
class View : public CliTest {
 protected:
  void SetUp() override {
    if (!QUINTET_VIEWER_BUILT) GTEST_SKIP() << "the viewer is not built";
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
  }
};

TEST_F(View, WritesAPictureWithoutADisplay) {
  ASSERT_TRUE(write_trace(tiny_trace(), folder_.file("run.qtrace"), TraceForm::plain));
  run_fine({"view", "run.qtrace", "--screenshot", "run.png", "--width", "900", "--height", "600"});
  EXPECT_EQ(read_text(folder_.file("run.png")).substr(1, 3), "PNG");
}

TEST_F(View, ReplacesAPictureOfItsOwnAndNoOther) {
  ASSERT_TRUE(write_trace(tiny_trace(), folder_.file("run.qtrace"), TraceForm::plain));
  const Words words = {"view",     "run.qtrace", "--width",      "400",
                       "--height", "300",        "--screenshot", "run.png"};
  run_fine(words);
  run_fine(words);
  write("run.png", "\x89PNG\r\n\x1a\n somebody's");
  expect_refusal(words, {"run.png: exists and was not written by quintet", "--force"});
  run_fine({"view", "run.qtrace", "--screenshot", "run.png", "--force"});
  expect_refusal({"view", "run.qtrace", "--screenshot", "run.qtrace", "--force"},
                 {"is what shall be shown"});
}

TEST_F(View, TakesRecordedScenariosByTheirNames) {
  run_fine({"view", "recorded/mlp-b128-serial-whole_step",
            "recorded/mlp-b128-renaissance-whole_step", "--screenshot", "pair.png"});
  EXPECT_GT(std::filesystem::file_size(folder_.file("pair.png")), 10'000U);
}

TEST_F(View, WithoutADisplaySaysWhatWhyAndCure) {
  expect_refusal(Words{"view"}, {"no display to open a window on", "xvfb-run"});
}

TEST_F(View, RefusesNamesThatNothingHas) {
  expect_refusal({"view", "recorded/no-such-run"}, {"no-such-run", "did you mean"});
  expect_refusal({"view", "--scal", "2"}, {"--scal", "did you mean \"--scale\"?"});
}

TEST_F(View, APictureOfAFileThatIsNotThereIsAnError) {
  const CommandResult result = run({"view", "missing.qtrace", "--screenshot", "a.png"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("missing.qtrace"), std::string::npos) << result.err;
}

TEST(ViewAlone, WithoutTheViewerBesideItSaysHowToBuildIt) {
  const TemporaryFolder folder;
  const std::string program = folder.file("quintet");
  std::filesystem::copy_file(QUINTET_COMMAND, program);
  FILE* output = popen((program + " view 2>&1").c_str(), "r");
  ASSERT_NE(output, nullptr);
  std::string text;
  char piece[256];
  while (std::fgets(piece, sizeof piece, output) != nullptr)
    text += piece;
  const int status = pclose(output);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(text.find("the viewer was not built"), std::string::npos) << text;
  EXPECT_NE(text.find("./dev deps"), std::string::npos) << text;
}

}  // namespace
}  // namespace quintet

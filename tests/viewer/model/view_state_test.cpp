#include "viewer/model/view_state.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "tests/profiler/trace/sample_trace.h"
#include "viewer/model/state_keeper.h"

namespace quintet::viewer {
namespace {

ViewState example() {
  ViewState state;
  state.layout.left_width = 321;
  state.layout.bottom_shown = false;
  state.theme = ThemeName::light;
  state.bottom_tab = "compare";
  state.recent = {"/data/b.qtrace", "/data/a \"quoted\".qtrace"};
  state.open = {"/data/b.qtrace", ""};
  return state;
}

TEST(ViewState, IsReadAsItWasWritten) {
  const Result<ViewState> read = view_state_from_json(to_json(example()), "view.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, example());
}

TEST(ViewState, WhatMakesNoSenseKeepsItsDefault) {
  const Result<ViewState> read = view_state_from_json(
      R"({"left_width": -4, "right_width": "wide", "bottom_height": 1e30, "theme": 7,
          "left_shown": "no", "recent": [1, "/data/a.qtrace"], "open": {"a": 1}, "more": null})",
      "view.json");
  ASSERT_TRUE(read);
  ViewState wanted;
  wanted.recent = {"/data/a.qtrace"};
  EXPECT_EQ(*read, wanted);
}

TEST(ViewState, DamageIsAnErrorThatNamesTheFile) {
  for (const char* text : {"", "[1, 2", "[]", "\xff\xfe"}) {
    const Result<ViewState> read = view_state_from_json(text, "view.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().file, "view.json");
    EXPECT_FALSE(read.error().cure.empty());
  }
}

TEST(ViewState, IsSavedIntoAFolderThatIsMadeForIt) {
  const TemporaryFolder folder;
  const std::string inner = folder.file("state/quintet");
  EXPECT_EQ(*load_view_state(inner), ViewState{});
  ASSERT_TRUE(save_view_state(inner, example()));
  const Result<ViewState> loaded = load_view_state(inner);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(*loaded, example());
}

TEST(ViewState, RecentFilesAreNewestFirstOnceAndNotTooMany) {
  std::vector<std::string> recent;
  for (int file = 0; file < 20; ++file)
    remember_file(recent, "/data/" + std::to_string(file));
  remember_file(recent, "/data/15");
  remember_file(recent, "");
  EXPECT_EQ(recent.size(), kRecentFiles);
  EXPECT_EQ(recent.front(), "/data/15");
  EXPECT_EQ(recent[1], "/data/19");
  EXPECT_EQ(std::count(recent.begin(), recent.end(), "/data/15"), 1);
}

TEST(StateKeeper, OpensWhatWasOpenAndKeepsSizes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(save_view_state(folder.path(), example()));
  Workbench workbench;
  Background background;
  CommandQueue commands;
  const Parts parts;
  PartContext context{workbench, background, commands, parts};
  StateKeeper keeper(folder.path(), true);
  keeper.prepare(context);
  EXPECT_EQ(workbench.theme, ThemeName::light);
  EXPECT_FLOAT_EQ(workbench.layout.left_width, 321);
  const std::vector<Command> taken = commands.take();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].get<OpenFile>()->path, "/data/b.qtrace");
  workbench.theme = ThemeName::dark;
  keeper.finish(context);
  EXPECT_EQ(load_view_state(folder.path())->theme, ThemeName::dark);
}

TEST(StateKeeper, ADamagedStateIsToldAndNotLostAtOnce) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("view.json")) << "{ broken";
  Workbench workbench;
  Background background;
  CommandQueue commands;
  const Parts parts;
  PartContext context{workbench, background, commands, parts};
  StateKeeper keeper(folder.path(), true);
  keeper.prepare(context);
  ASSERT_NE(workbench.log.alert(), nullptr);
  EXPECT_TRUE(commands.empty());
}

}  // namespace
}  // namespace quintet::viewer

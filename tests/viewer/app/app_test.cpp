#include "viewer/app/app.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "profiler/trace/trace_file.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/app/app_screen.h"
#include "viewer/model/document_reports.h"
#include "viewer/model/start_list.h"
#include "viewer/model/state_keeper.h"

namespace quintet::viewer {
namespace {

std::string recording_in(const TemporaryFolder& folder, const std::string& name) {
  const std::string file = folder.file(name);
  EXPECT_TRUE(write_trace(tiny_trace(), file, TraceForm::plain));
  return file;
}

TEST(App, WithNothingOpenOffersTheShippedRecordingsOneClickAway) {
  AppOptions options;
  options.recorded_folder = QUINTET_RECORDED_DIR;
  AppScreen world(options);
  EXPECT_FALSE(world.workbench().anything_open());
  const auto* list = world.app().parts().find<StartList>();
  ASSERT_NE(list, nullptr);
  EXPECT_GE(list->recorded().entries.size(), 30U);
  // Somewhere in the table is a cell.
  for (float y = 200; y < 500 && !world.workbench().anything_open(); y += 12) {
    world.click(800, y);
    world.settle();
  }
  EXPECT_TRUE(world.workbench().anything_open());
  EXPECT_EQ(world.complaint(), "");
}

/// A source of runs that end at once and leave nothing to look at.
class EndedSource : public RunSource {
 public:
  [[nodiscard]] std::string place() const override { return "nowhere"; }
  void start(const RunOrder& /*order*/) override { started_ = true; }
  void stop() override {}
  RunStanding standing() override {
    RunStanding standing;
    standing.stage = started_ ? RunStage::finished : RunStage::none;
    return standing;
  }
  RunPicture picture() override { return {}; }
  std::vector<RunLine> take_lines() override { return {}; }
  std::vector<RunDevice> devices() override { return {{"host", "two cores", true}}; }

 private:
  bool started_ = false;
};

TEST(App, AfterARunThatWasClosedOffersRecordingsAgain) {
  AppOptions options;
  options.recorded_folder = QUINTET_RECORDED_DIR;
  options.run_source = std::make_shared<EndedSource>();
  AppScreen world(options);
  world.send(command_id::kChooseScenario, std::string("generated-mlp"));
  world.send(command_id::kRun);
  world.settle();
  ASSERT_EQ(world.workbench().bottom_tab, "run");
  EXPECT_FALSE(world.workbench().anything_open());
  for (float y = 200; y < 400 && !world.workbench().anything_open(); y += 12) {
    world.click(800, y);
    world.settle();
  }
  EXPECT_TRUE(world.workbench().anything_open());
}

TEST(App, ThePaletteRunsACommandByAFewLettersOfItsName) {
  AppScreen world;
  world.place(tiny_trace());
  world.press({Key::p, true});
  EXPECT_EQ(world.workbench().overlay, Overlay::palette);
  world.type("shtask");
  world.press({Key::enter});
  world.settle();
  EXPECT_EQ(world.workbench().overlay, Overlay::none);
  EXPECT_EQ(world.workbench().bottom_tab, "tasks");
}

TEST(App, ArrowsChooseInThePalette) {
  AppScreen world;
  world.place(tiny_trace());
  world.press({Key::p, true});
  world.type("show");
  world.press({Key::down});
  world.press({Key::up});
  world.press({Key::enter});
  world.settle();
  EXPECT_EQ(world.workbench().overlay, Overlay::none);
  EXPECT_EQ(world.complaint(), "");
}

TEST(App, HelpOpensAndClosesByItsKeyAndByEscape) {
  AppScreen world;
  world.press({Key::question_mark});
  EXPECT_EQ(world.workbench().overlay, Overlay::help);
  world.press({Key::question_mark});
  EXPECT_EQ(world.workbench().overlay, Overlay::none);
  world.press({Key::question_mark});
  world.press({Key::escape});
  EXPECT_EQ(world.workbench().overlay, Overlay::none);
}

TEST(App, TypingIntoAFieldIsNoCommand) {
  AppScreen world;
  world.place(tiny_trace());
  world.press({Key::slash});
  world.screen().frame(world.app(), 2);
  world.type("conv");
  world.press({Key::m});
  EXPECT_FALSE(world.workbench().measuring);
  EXPECT_EQ(world.workbench().search, "conv");
}

TEST(App, TheOpenDialogIsWorkedByKeysAlone) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("inner"));
  recording_in(folder, "a.qtrace");
  const std::string file = recording_in(folder, "b.qtrace");
  AppScreen world;
  world.press({Key::o, true});
  world.settle();
  world.send(command_id::kBrowse, folder.path());
  world.press({Key::down});
  world.press({Key::down});
  world.press({Key::enter});
  world.settle();
  ASSERT_NE(world.workbench().document(Side::a), nullptr) << world.complaint();
  EXPECT_EQ(world.workbench().document(Side::a)->file, file);
  EXPECT_EQ(world.workbench().overlay, Overlay::none);
}

TEST(App, AFilterNarrowsTheOpenDialog) {
  const TemporaryFolder folder;
  recording_in(folder, "a.qtrace");
  const std::string file = recording_in(folder, "special.qtrace");
  AppScreen world;
  world.place(tiny_trace());
  world.press({Key::o, true, true});
  world.settle();
  world.send(command_id::kBrowse, folder.path());
  world.type("spec");
  world.press({Key::enter});
  world.settle();
  ASSERT_NE(world.workbench().document(Side::b), nullptr);
  EXPECT_EQ(world.workbench().document(Side::b)->file, file);
}

TEST(App, TwoDroppedFilesAreAPair) {
  const TemporaryFolder folder;
  AppScreen world;
  world.app().drop({recording_in(folder, "a.qtrace"), recording_in(folder, "b.qtrace")});
  world.settle();
  EXPECT_TRUE(world.workbench().both_open());
  EXPECT_EQ(world.workbench().shown, Shown::both);
}

TEST(App, ExportsAPictureOfItselfWithoutTheDialog) {
  const TemporaryFolder folder;
  AppScreen world({}, {900, 600, 1});
  world.place(tiny_trace());
  world.press({Key::e, true});
  EXPECT_EQ(world.workbench().overlay, Overlay::export_dialog);
  world.press({Key::escape});
  world.send(command_id::kExportTo, ExportTo{ExportFormat::png, folder.file("view.png")});
  world.settle();
  const Result<Image> picture = read_png(folder.file("view.png"));
  ASSERT_TRUE(picture) << world.complaint();
  EXPECT_EQ(picture->width, 900);
  EXPECT_EQ(picture->height, 600);
}

TEST(App, ExportsAPictureOfTheTimelineAloneAndOfTheTabBelow) {
  const TemporaryFolder folder;
  AppScreen world({}, {900, 600, 1});
  world.place(tiny_trace());
  for (const ExportFormat format : {ExportFormat::png_centre, ExportFormat::png_tab}) {
    world.send(command_id::kExportTo, ExportTo{format, folder.file("part.png")});
    world.settle();
    const Result<Image> picture = read_png(folder.file("part.png"));
    ASSERT_TRUE(picture) << world.complaint();
    const PaneLayout& layout = world.workbench().layout;
    if (format == ExportFormat::png_tab) {
      EXPECT_NEAR(picture->height, layout.bottom_height, 2);
    } else {
      EXPECT_NEAR(picture->width, 900 - layout.left_width - layout.right_width, 12);
    }
    EXPECT_LT(picture->height, 400);
  }
}

TEST(App, TheExportDialogWritesByEnter) {
  const TemporaryFolder folder;
  AppScreen world;
  world.place(tiny_trace(), Side::a, folder.file("run.qtrace"));
  world.press({Key::e, true});
  world.screen().frame(world.app(), 2);
  world.press({Key::enter});
  world.settle();
  EXPECT_EQ(folder.listing(), "run.html");
}

TEST(App, RemembersSizesThemeAndFilesBetweenTwoStarts) {
  const TemporaryFolder folder;
  const TemporaryFolder state;
  AppOptions options;
  options.state_folder = state.path();
  const std::string file = recording_in(folder, "a.qtrace");
  {
    AppOptions first = options;
    first.files = {file};
    AppScreen world(first);
    world.send(command_id::kTheme);
    world.send(command_id::kTogglePane, Placement::left);
    world.send(command_id::kTab, std::string("findings"));
  }
  AppScreen world(options);
  EXPECT_EQ(world.workbench().theme, ThemeName::light);
  EXPECT_FALSE(world.workbench().layout.left_shown);
  EXPECT_EQ(world.workbench().bottom_tab, "findings");
  ASSERT_NE(world.workbench().document(Side::a), nullptr);
  EXPECT_EQ(world.workbench().document(Side::a)->file, file);
  EXPECT_EQ(world.app().parts().find<StateKeeper>()->recent().front(), file);
}

TEST(App, AFileThatIsGoneIsToldAndTheStartScreenShows) {
  AppOptions options;
  options.files = {"no/such/run.qtrace"};
  AppScreen world(options);
  EXPECT_FALSE(world.workbench().anything_open());
  EXPECT_NE(world.complaint().find("no/such/run.qtrace"), std::string::npos);
  world.send(command_id::kDismiss);
  EXPECT_EQ(world.complaint(), "");
}

TEST(App, PickingARowOfTheTasksSelectsTheTask) {
  AppScreen world({}, {1280, 800, 1});
  world.place(tiny_trace());
  world.send(command_id::kTab, std::string("tasks"));
  for (float y = 600; y < 780 && world.workbench().selection.empty(); y += 8)
    world.click(200, y);
  world.settle();
  ASSERT_TRUE(world.workbench().selection.task);
  EXPECT_TRUE(world.workbench().selection.span) << "with its span in a step";
}

TEST(App, DraggingABorderResizesThePanes) {
  AppScreen world({}, {1280, 800, 1});
  world.place(tiny_trace());
  const float before = world.workbench().layout.right_width;
  const float border = 1280 - before - kSplitterWidth / 2;
  world.screen().move_mouse(border, 200);
  world.screen().frame(world.app(), 2);
  world.screen().press_mouse();
  world.screen().frame(world.app());
  world.screen().move_mouse(border - 60, 200);
  world.screen().frame(world.app(), 2);
  world.screen().release_mouse();
  world.screen().frame(world.app(), 2);
  EXPECT_NEAR(world.workbench().layout.right_width, before + 60, 1);
}

TEST(App, CtrlPageDownGoesThroughAllTabsAndComesBack) {
  AppScreen world;
  world.place(tiny_trace());
  const std::string first = world.workbench().bottom_tab;
  std::size_t tabs = 0;
  for (const ViewEntry& entry : view_catalog())
    tabs += entry.placement == Placement::bottom ? 1 : 0;
  for (std::size_t tab = 0; tab < tabs; ++tab)
    world.press({Key::page_down, true});
  EXPECT_EQ(world.workbench().bottom_tab, first);
  world.press({Key::page_up, true});
  EXPECT_NE(world.workbench().bottom_tab, first);
}

TEST(App, EveryCommandOfTheCatalogIsTakenBySomebody) {
  // A run that can be planned again, so that there is a mapping to edit.
  const TemporaryFolder folder;
  AppOptions options;
  for (const char* name : {"mlp-b128-serial-whole_step", "mlp-b128-renaissance-whole_step"}) {
    options.files.push_back(folder.file(std::string(name) + ".qtrace.gz"));
    std::filesystem::copy_file(std::string(QUINTET_RECORDED_DIR "/") + name + ".qtrace.gz",
                               options.files.back());
  }
  for (const CommandEntry& entry : command_catalog()) {
    // The history lies in the working folder, whose files are not this test's.
    if (entry.title.empty() || entry.id == command_id::kHistoryAdd) continue;
    AppScreen world(options);
    world.send(command_id::kSelect, select_task(*world.workbench().document(Side::a), Side::a, 1));
    world.send(entry.id, entry.preset);
    for (const LogLine& line : world.workbench().log.lines())
      EXPECT_EQ(line.text.find("does nothing"), std::string::npos) << line.text;
  }
}

TEST(App, TabHandsTheKeyboardToThePanesAndEscapeTakesItBack) {
  AppScreen world;
  world.place(tiny_trace());
  world.press({Key::tab});
  EXPECT_TRUE(world.workbench().pane_keys);
  world.press({Key::m});
  world.press({Key::down});
  EXPECT_FALSE(world.workbench().measuring) << "the panes have the keys";
  world.press({Key::escape});
  EXPECT_FALSE(world.workbench().pane_keys);
  world.press({Key::m});
  EXPECT_TRUE(world.workbench().measuring);
}

TEST(App, SleepsUntilThereIsInputOrNewData) {
  AppScreen world;
  world.place(tiny_trace());
  EXPECT_LT(world.app().sleep_seconds(), 0) << "for ever";
  world.app().emit({command_id::kTheme, {}});
  EXPECT_EQ(world.app().sleep_seconds(), 0) << "a command waits";
}

TEST(App, ClosesByItsKey) {
  AppScreen world;
  world.press({Key::q, true});
  EXPECT_TRUE(world.app().closing());
}

}  // namespace
}  // namespace quintet::viewer

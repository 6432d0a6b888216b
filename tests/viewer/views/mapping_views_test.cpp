// The Policy pane and the Graph tab under a hand: cells are dragged, keys move what is selected, nodes
// are picked and unfolded. No display is needed.
#include <filesystem>
#include <gtest/gtest.h>

#include "viewer/app/app.h"
#include "viewer/model/command_id.h"
#include "viewer/model/dag/dag_keeper.h"
#include "viewer/model/mapping/advice_keeper.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/platform/windowless_screen.h"

namespace quintet::viewer::test {
namespace {

struct Point {
  float x = 0;
  float y = 0;
};

class MappingViews : public testing::Test {
 protected:
  MappingViews() {
    folder_ = std::filesystem::temp_directory_path() /
              ("quintet_mapping_views_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    AppOptions options;
    options.files = {QUINTET_SOURCE_DIR
                     "/scenarios/recorded/resnet18-b256-renaissance-dataflow-event_sync.qtrace.gz"};
    options.state_folder = folder_.string();
    options.reopen = false;
    app_ = std::make_unique<App>(options);
    settle();
  }
  ~MappingViews() override {
    app_.reset();
    std::filesystem::remove_all(folder_);
  }

  void settle() {
    for (int round = 0; round < 8; ++round) {
      screen_.frame(*app_);
      app_->settle();
    }
    screen_.frame(*app_, 3);
  }
  const MappingKeeper& mapping() const { return *app_->parts().find<MappingKeeper>(); }
  const DagKeeper& dag() const { return *app_->parts().find<DagKeeper>(); }

  /// A little inside the first cell of the Policy table that is filled in the colour of a stream.
  Point cell_of(StreamKind stream) const {
    const Image picture = screen_.picture();
    const Color& wanted = palette_of(app_->workbench().theme).of_stream(quintet::index_of(stream));
    const int right = static_cast<int>(app_->workbench().layout.left_width);
    for (int y = 150; y < picture.height; ++y) {
      for (int x = 0; x < right; ++x) {
        const std::uint8_t* pixel = picture.pixel(x, y);
        if (pixel[0] == wanted.r && pixel[1] == wanted.g && pixel[2] == wanted.b) {
          return {static_cast<float>(x + 4), static_cast<float>(y + 4)};
        }
      }
    }
    ADD_FAILURE() << "no cell of " << name_of(stream);
    return {};
  }

  std::filesystem::path folder_;
  WindowlessScreen screen_;
  std::unique_ptr<App> app_;
};

TEST_F(MappingViews, ADragTriesTheMoveWhileTheButtonIsDownAndMakesItWhenDropped) {
  ASSERT_TRUE(mapping().ready());
  const Point from = cell_of(StreamKind::COMP_1);
  const Point other = cell_of(StreamKind::COMP_3);
  screen_.move_mouse(from.x, from.y);
  screen_.frame(*app_, 2);
  screen_.press_mouse();
  screen_.frame(*app_, 2);
  screen_.move_mouse((from.x + other.x) / 2, from.y);
  screen_.frame(*app_, 2);
  screen_.move_mouse(other.x, from.y);
  settle();
  ASSERT_TRUE(mapping().tried().has_value());
  EXPECT_NE(mapping().tried_verdict(), nullptr);
  EXPECT_EQ(mapping().draft().done(), 0U);
  const std::string tried = mapping().tried()->name;
  screen_.release_mouse();
  settle();
  EXPECT_EQ(mapping().draft().done(), 1U);
  EXPECT_EQ(mapping().draft().undo_name(), tried);
  EXPECT_FALSE(mapping().tried().has_value());
}

TEST_F(MappingViews, ADragThatIsDroppedNowhereChangesNothing) {
  const Point from = cell_of(StreamKind::COMP_1);
  screen_.move_mouse(from.x, from.y);
  screen_.frame(*app_, 2);
  screen_.press_mouse();
  screen_.frame(*app_, 2);
  screen_.move_mouse(700, 300);
  settle();
  screen_.release_mouse();
  settle();
  EXPECT_EQ(mapping().draft().done(), 0U);
  EXPECT_FALSE(mapping().tried().has_value());
}

TEST_F(MappingViews, KeysMoveWhatIsSelectedAndUndoIt) {
  const Document& document = *app_->workbench().main_document();
  std::uint32_t task = 0;
  while (document.trace->tasks[task].part != "dW")
    ++task;
  app_->emit({command_id::kSelect, select_task(document, Side::a, task)});
  settle();
  screen_.press_key(*app_, {.key = Key::digit_3});
  settle();
  EXPECT_EQ(mapping().draft().done(), 1U);
  EXPECT_TRUE(app_->workbench().policy_edited);
  screen_.press_key(*app_, {.key = Key::z, .ctrl = true});
  settle();
  EXPECT_EQ(mapping().draft().done(), 0U);
}

TEST_F(MappingViews, ThePointerOverAdviceTriesItAndAClickMakesIt) {
  const auto& advice = *app_->parts().find<AdviceKeeper>();
  ASSERT_NE(advice.report(), nullptr);
  ASSERT_FALSE(advice.edits().empty());
  const PaneLayout& layout = app_->workbench().layout;
  const Image picture = screen_.picture();
  // The last move in sight lies just above the splitter of the tabs.
  const float x = static_cast<float>(picture.width) - layout.right_width / 2;
  const float y = static_cast<float>(picture.height) - layout.bottom_height - 70;
  screen_.move_mouse(x, y);
  settle();
  ASSERT_TRUE(mapping().tried().has_value());
  const std::string tried = mapping().tried()->name;
  EXPECT_NE(mapping().tried_verdict(), nullptr);
  EXPECT_NE(app_->workbench().document(Side::b), nullptr) << "lane B shows the prediction";
  screen_.move_mouse(x, 120);
  settle();
  EXPECT_FALSE(mapping().tried().has_value());
  EXPECT_EQ(app_->workbench().document(Side::b), nullptr);
  screen_.click(*app_, x, y);
  settle();
  ASSERT_EQ(mapping().draft().done(), 1U);
  EXPECT_EQ(mapping().draft().undo_name(), tried);
}

TEST_F(MappingViews, TheGraphIsDrawnAndKeyGBringsTheSelectedTaskIntoIt) {
  app_->emit({command_id::kTab, std::string("graph")});
  settle();
  ASSERT_NE(dag().scene(), nullptr);
  const std::size_t folded = dag().scene()->graph.nodes.size();
  const std::uint64_t vertices = screen_.counts().vertices;
  app_->emit({command_id::kTab, std::string("log")});
  settle();
  EXPECT_LT(screen_.counts().vertices, vertices) << "the log has less to draw";
  app_->emit({command_id::kTab, std::string("graph")});
  app_->emit({command_id::kGraphUnfoldAll, {}});
  settle();
  EXPECT_GT(dag().scene()->graph.nodes.size(), folded);
  const Document& document = *app_->workbench().main_document();
  app_->emit({command_id::kSelect, select_task(document, Side::a, 40)});
  settle();
  screen_.press_key(*app_, {.key = Key::g});
  settle();
  EXPECT_EQ(dag().reveals(), 1U);
  EXPECT_TRUE(dag().scene()->graph.node_of(40).has_value());
}

}  // namespace
}  // namespace quintet::viewer::test

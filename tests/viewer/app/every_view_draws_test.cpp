#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/support/sanitizers.h"
#include "tests/viewer/app/app_screen.h"
#include "tests/viewer/app/hostile_documents.h"
#include "viewer/model/tuning/tune_keeper.h"
#include "viewer/views/view_catalog.h"

namespace quintet::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGroups = 6;

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(QUINTET_RECORDED_DIR)) {
    if (entry.path().string().ends_with(".qtrace.gz")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Pixels of the picture that are not its most frequent colour.
std::size_t painted(const Image& image) {
  std::vector<std::uint32_t> colors;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* pixel = image.pixel(x, y);
      colors.push_back(static_cast<std::uint32_t>(pixel[0]) << 16U |
                       static_cast<std::uint32_t>(pixel[1]) << 8U | pixel[2]);
    }
  }
  std::sort(colors.begin(), colors.end());
  std::size_t most = 0;
  for (auto at = colors.begin(); at != colors.end();) {
    const auto next = std::upper_bound(at, colors.end(), *at);
    most = std::max(most, static_cast<std::size_t>(next - at));
    at = next;
  }
  return colors.size() - most;
}

/// Shows every tab in turn; the other panes are there all the time.
void draw_every_view(AppScreen& world, const std::string& what) {
  for (const ViewEntry& entry : view_catalog()) {
    if (entry.placement == Placement::bottom) {
      world.send(command_id::kTab, std::string(entry.id));
    }
    EXPECT_GT(world.screen().counts().triangles, 100U) << what << ": " << entry.id;
  }
  EXPECT_GT(painted(world.screen().picture()), 2000U) << what;
  EXPECT_EQ(world.complaint(), "") << what;
}

/// Searches for another mapping and takes the best: the tab shows what was found, B what it would do.
void draw_what_tuning_finds(AppScreen& world, const std::string& what) {
  // Stopped at once, so that it takes no longer than what is looked at needs.
  world.app().emit({command_id::kTune, {}});
  world.app().emit({command_id::kStopTuning, {}});
  world.settle();
  const auto& tune = *world.app().parts().find<TuneKeeper>();
  ASSERT_NE(tune.tuning(), nullptr) << what;
  EXPECT_GT(world.screen().counts().triangles, 2'000U) << what;
  EXPECT_GT(painted(world.screen().picture()), 2'000U) << what;
  world.send(command_id::kApplyTuned);
  EXPECT_EQ(tune.taken(), 0U) << what;
  EXPECT_EQ(world.complaint(), "") << what;
}

class ShippedRecordings : public testing::TestWithParam<std::size_t> {};

TEST_P(ShippedRecordings, DrawInEveryViewInBothThemes) {
  const std::vector<std::string> files = shipped();
  ASSERT_GE(files.size(), kGroups);
  for (std::size_t file = GetParam(); file < files.size(); file += kGroups) {
    AppOptions options;
    options.files = {files[file]};
    AppScreen world(options, {1280, 800, 1});
    ASSERT_NE(world.workbench().document(Side::a), nullptr) << files[file];
    // The recordings of a network follow one another: under AddressSanitizer each network is tuned
    // once and each recording drawn in one of the themes.
    const std::size_t network = file / kGroups;
    const bool first_theme = (network + GetParam()) % 2 == 0;
    if (!kAddressSanitizer || first_theme) draw_every_view(world, files[file]);
    world.send(command_id::kTheme);
    if (!kAddressSanitizer || !first_theme) draw_every_view(world, files[file]);
    if (!kAddressSanitizer || network == GetParam()) draw_what_tuning_finds(world, files[file]);
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, ShippedRecordings, testing::Range(std::size_t{0}, kGroups));

TEST(ShippedPairs, DrawInEveryViewBesideEachOther) {
  const std::vector<std::string> files = shipped();
  AppOptions options;
  options.files = {files.front(), files[1]};
  AppScreen world(options, {1280, 800, 1});
  EXPECT_TRUE(world.workbench().both_open());
  for (const Shown shown : {Shown::both, Shown::a, Shown::b}) {
    world.send(command_id::kShow, shown);
    draw_every_view(world, "a pair");
  }
}

class HostileDocuments : public testing::TestWithParam<std::size_t> {};

TEST_P(HostileDocuments, DrawInEveryViewAndTakeKeysAndClicks) {
  const HostileDocument& hostile = hostile_documents()[GetParam()];
  AppScreen world({}, {1100, 700, 1});
  world.place(hostile.make());
  draw_every_view(world, std::string(hostile.name));
  for (const char typed : std::string("fwwssadcvm/znp[]gb1")) {
    world.press({key_of_character(static_cast<char32_t>(typed))});
    world.press({Key::escape});
  }
  for (float y = 60; y < 680; y += 45) {
    for (float x = 40; x < 1080; x += 130)
      world.click(x, y);
    world.press({Key::escape});
    world.screen().turn_wheel(1);
    world.screen().frame(world.app());
  }
  world.settle();
  EXPECT_GT(world.screen().counts().triangles, 100U);
}

TEST_P(HostileDocuments, DrawBesideAnother) {
  const HostileDocument& hostile = hostile_documents()[GetParam()];
  AppScreen world({}, {1100, 700, 1});
  world.place(hostile.make(), Side::a);
  world.place(hostile_documents()[(GetParam() + 2) % hostile_documents().size()].make(), Side::b);
  draw_every_view(world, std::string(hostile.name));
}

INSTANTIATE_TEST_SUITE_P(Each, HostileDocuments,
                         testing::Range(std::size_t{0}, hostile_documents().size()),
                         [](const auto& at) {
                           return std::string(hostile_documents()[at.param].name);
                         });

TEST(Windows, OfAnySizeAndScaleDraw) {
  struct Size {
    int width;
    int height;
    float scale;
  };
  for (const Size& size : {Size{320, 240, 1}, Size{640, 2000, 1}, Size{3200, 300, 1},
                           Size{2560, 1440, 2}, Size{300, 200, 3}}) {
    AppScreen world({}, {size.width, size.height, size.scale});
    world.place(hostile_documents()[8].make());
    for (const ViewEntry& entry : view_catalog())
      world.send(command_id::kTab, std::string(entry.id));
    EXPECT_GT(world.screen().counts().triangles, 20U) << size.width << " x " << size.height;
  }
}

}  // namespace
}  // namespace quintet::viewer

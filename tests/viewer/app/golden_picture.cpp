#include "tests/viewer/app/golden_picture.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace quintet::viewer {

namespace {

/// A channel that differs by more is seen.
constexpr int kSeen = 40;
/// This share of pixels may: faces of one name differ a little between versions.
constexpr double kTolerated = 0.004;

double differing_share(const Image& one, const Image& other) {
  std::size_t differing = 0;
  for (std::size_t pixel = 0; pixel < one.rgba.size(); pixel += 4) {
    int most = 0;
    for (std::size_t channel = 0; channel < 3; ++channel)
      most = std::max(most,
                      std::abs(int{one.rgba[pixel + channel]} - int{other.rgba[pixel + channel]}));
    differing += most > kSeen ? 1 : 0;
  }
  return 4 * static_cast<double>(differing) / static_cast<double>(one.rgba.size());
}

bool updating() {
  const char* update = std::getenv("QUINTET_UPDATE_GOLDEN");
  return update != nullptr && std::string(update) == "1";
}

}  // namespace

void expect_picture(const std::string& name, const Image& actual) {
  const std::string folder = QUINTET_SOURCE_DIR "/tests/viewer/app/golden";
  const std::string golden = folder + "/" + name + ".png";
  if (updating()) {
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(write_png(actual, golden));
    return;
  }
  const std::string beside = name + ".actual.png";
  const Result<Image> expected = read_png(golden);
  ASSERT_TRUE(expected) << to_string(expected.error());
  const bool same_size = expected->width == actual.width && expected->height == actual.height;
  const double share = same_size ? differing_share(*expected, actual) : 1;
  if (share <= kTolerated) return;
  static_cast<void>(write_png(actual, beside));
  ADD_FAILURE() << name << ": " << 100 * share << " % of the pixels differ from " << golden
                << "; the picture is " << std::filesystem::absolute(beside).string()
                << "; accept it with QUINTET_UPDATE_GOLDEN=1";
}

}  // namespace quintet::viewer

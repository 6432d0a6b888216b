#include "runtime/data/batch_filler.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace quintet {
namespace {

ImageDataset dataset_of(std::int64_t count, std::int64_t channels,
                        std::vector<std::uint8_t> pixels) {
  ImageDataset dataset;
  dataset.count = count;
  dataset.height = 1;
  dataset.width = static_cast<std::int64_t>(pixels.size()) / count / channels;
  dataset.channels = channels;
  dataset.pixels = std::move(pixels);
  for (std::int64_t n = 0; n < count; ++n)
    dataset.labels.push_back(static_cast<std::uint8_t>(n + 5));
  return dataset;
}

TEST(Normalisation, IsMeanAndDeviationOfAllPixels) {
  const auto normalisation = normalisation_of(dataset_of(2, 1, {0, 255, 0, 255}));
  EXPECT_DOUBLE_EQ(normalisation.mean.at(0), 0.5);
  EXPECT_DOUBLE_EQ(normalisation.deviation.at(0), 0.5);
}

TEST(Normalisation, KeepsChannelsApart) {
  const auto normalisation = normalisation_of(dataset_of(2, 2, {51, 0, 51, 102}));
  EXPECT_DOUBLE_EQ(normalisation.mean.at(0), 0.2);
  EXPECT_DOUBLE_EQ(normalisation.deviation.at(0), 1.0) << "all equal: no division by zero";
  EXPECT_DOUBLE_EQ(normalisation.mean.at(1), 0.2);
  EXPECT_DOUBLE_EQ(normalisation.deviation.at(1), 0.2);
}

TEST(BatchFiller, WritesNormalisedImagesAndLabelsInTheOrderOfTheIndices) {
  const ImageDataset dataset = dataset_of(3, 1, {0, 255, 255, 0, 51, 204});
  const BatchFiller filler(dataset, {{0.5}, {0.5}});
  std::array<float, 6> images{};
  std::array<std::int32_t, 3> labels{};
  filler.fill(std::array<std::uint32_t, 3>{2, 0, 2}, images, labels);
  const std::array<float, 6> wanted = {-0.6F, 0.6F, -1.0F, 1.0F, -0.6F, 0.6F};
  for (std::size_t at = 0; at < wanted.size(); ++at)
    EXPECT_FLOAT_EQ(images[at], wanted[at]) << at;
  EXPECT_EQ(labels, (std::array<std::int32_t, 3>{7, 5, 7}));
}

TEST(BatchFiller, NormalisesEachChannelByItsOwn) {
  const ImageDataset dataset = dataset_of(1, 2, {255, 255, 0, 0});
  const BatchFiller filler(dataset, {{0.0, 1.0}, {1.0, 0.5}});
  std::array<float, 4> images{};
  std::array<std::int32_t, 1> labels{};
  filler.fill(std::array<std::uint32_t, 1>{0}, images, labels);
  EXPECT_EQ(images, (std::array<float, 4>{1.0F, 0.0F, 0.0F, -2.0F}));
}

TEST(BatchFiller, LeavesTheTrainingPixelsWithMeanZeroAndDeviationOne) {
  std::vector<std::uint8_t> pixels(1000);
  for (std::size_t at = 0; at < pixels.size(); ++at)
    pixels[at] = static_cast<std::uint8_t>(at * 37 % 251);
  const ImageDataset dataset = dataset_of(10, 1, pixels);
  const BatchFiller filler(dataset, normalisation_of(dataset));
  std::vector<float> images(1000);
  std::vector<std::int32_t> labels(10);
  filler.fill(std::array<std::uint32_t, 10>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, images, labels);
  double sum = 0;
  double squares = 0;
  for (const float value : images) {
    sum += value;
    squares += double{value} * double{value};
  }
  EXPECT_NEAR(sum / 1000, 0, 1e-6);
  EXPECT_NEAR(std::sqrt(squares / 1000), 1, 1e-6);
}

}  // namespace
}  // namespace quintet

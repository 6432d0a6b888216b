#include "runtime/data/reader_catalog.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "tests/runtime/data/idx_bytes.h"

namespace quintet {
namespace {

using test::Bytes;
using test::gzipped;
using test::idx_bytes;

Result<DatasetPair> open(const DataSource& source) {
  const auto reader = find_reader(source.dataset);
  if (!reader) return tl::unexpected(reader.error());
  return (*reader)->open(source);
}

DataSource generated(std::uint64_t seed) {
  DataSource source;
  source.dataset = "generated-images";
  source.seed = seed;
  source.generated = {64, 32, 9, 7, 3, 5};
  return source;
}

TEST(ReaderCatalog, NamesEachReaderOnceAndSaysWhatItIs) {
  std::set<std::string_view> names;
  for (const DataReader& reader : reader_catalog()) {
    EXPECT_TRUE(names.insert(reader.name).second) << reader.name;
    EXPECT_FALSE(reader.description.empty());
    EXPECT_EQ(*find_reader(reader.name), &reader);
    EXPECT_EQ(reader.generated, reader.name.starts_with("generated"));
  }
  EXPECT_EQ(
      to_string(find_reader("mnist").error()),
      "no data set is called \"mnist\"; use one of cifar-10, fashion-mnist, generated-images");
}

class FashionMnistFiles : public test::FolderTest {
 protected:
  DataSource source() const {
    DataSource source;
    source.dataset = "fashion-mnist";
    source.directory = folder();
    return source;
  }
  const Bytes images_ = idx_bytes({1, 2, 2}, {1, 2, 3, 4});
  const Bytes labels_ = idx_bytes({1}, {7});
};

TEST_F(FashionMnistFiles, AreReadZippedOrNot) {
  write("train-images-idx3-ubyte.gz", gzipped(images_));
  write("train-labels-idx1-ubyte", labels_);
  write("t10k-images-idx3-ubyte", images_);
  write("t10k-labels-idx1-ubyte.gz", gzipped(labels_));
  const auto pair = open(source());
  ASSERT_TRUE(pair.has_value()) << to_string(pair.error());
  EXPECT_EQ(pair->train.name, "fashion-mnist");
  EXPECT_THAT(pair->test.labels, testing::ElementsAre(7));
  EXPECT_FALSE(pair->train.generated);
}

TEST_F(FashionMnistFiles, AreNamedWithTheCureWhereMissing) {
  EXPECT_EQ(to_string(open(source()).error()),
            folder() +
                "/train-images-idx3-ubyte.gz: no such file; run apt-get install "
                "dataset-fashion-mnist, or set directory under [data]");
}

TEST_F(FashionMnistFiles, MustHaveImagesOfOneSize) {
  write("train-images-idx3-ubyte", images_);
  write("train-labels-idx1-ubyte", labels_);
  write("t10k-images-idx3-ubyte", idx_bytes({1, 1, 4}, {1, 2, 3, 4}));
  write("t10k-labels-idx1-ubyte", labels_);
  EXPECT_EQ(to_string(open(source()).error()),
            folder() + ": training images are 2x2, test images 1x4; use the files of one data set");
}

TEST(FashionMnist, HoldsSeventyThousandImagesInTenEqualClasses) {
  const DataSource source;
  if (!std::filesystem::exists(source.directory)) {
    GTEST_SKIP() << source.directory << " is not there: apt-get install dataset-fashion-mnist";
  }
  const auto pair = open(source);
  ASSERT_TRUE(pair.has_value()) << to_string(pair.error());
  EXPECT_EQ(pair->train.count, 60'000);
  EXPECT_EQ(pair->test.count, 10'000);
  for (const ImageDataset* part : {&pair->train, &pair->test}) {
    EXPECT_EQ(part->height, 28);
    EXPECT_EQ(part->width, 28);
    for (std::uint8_t label = 0; label < 10; ++label) {
      EXPECT_EQ(std::count(part->labels.begin(), part->labels.end(), label), part->count / 10);
    }
  }
}

TEST(GeneratedImages, SayThatTheyAreGeneratedAndHaveTheSizesAskedFor) {
  const auto pair = open(generated(3));
  ASSERT_TRUE(pair.has_value()) << to_string(pair.error());
  EXPECT_TRUE(pair->train.generated);
  EXPECT_TRUE(pair->test.generated);
  EXPECT_TRUE(pair->train.name.starts_with("generated"));
  EXPECT_EQ(pair->train.count, 64);
  EXPECT_EQ(pair->test.count, 32);
  EXPECT_EQ(pair->train.pixels.size(), 64U * 9 * 7 * 3);
  EXPECT_EQ(pair->test.labels.size(), 32U);
  EXPECT_LT(*std::max_element(pair->train.labels.begin(), pair->train.labels.end()), 5);
}

TEST(GeneratedImages, DependOnTheSeedAlone) {
  const auto first = open(generated(3));
  const auto again = open(generated(3));
  const auto other = open(generated(4));
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(first->train.pixels, again->train.pixels);
  EXPECT_EQ(first->test.labels, again->test.labels);
  EXPECT_NE(first->train.pixels, other->train.pixels);
  // Pinned: results that people compare must not move with a compiler or a library.
  EXPECT_EQ(std::accumulate(first->train.pixels.begin(), first->train.pixels.end(), 0U), 1590495U);
  EXPECT_EQ(std::accumulate(first->train.labels.begin(), first->train.labels.end(), 0U), 123U);
}

TEST(GeneratedImages, OfTheTestPartAreNotThoseOfTheTrainingPart) {
  const auto pair = open(generated(3));
  ASSERT_TRUE(pair.has_value());
  const auto image = static_cast<std::ptrdiff_t>(pair->train.image_bytes());
  EXPECT_FALSE(std::equal(pair->test.pixels.begin(), pair->test.pixels.begin() + image,
                          pair->train.pixels.begin()));
}

TEST(GeneratedImages, CanBeLearnt) {
  // The mean training image of a class is nearest to the test images of that class.
  DataSource source = generated(1);
  source.generated = {500, 200, 28, 28, 1, 10};
  const auto pair = open(source);
  ASSERT_TRUE(pair.has_value());
  const auto size = static_cast<std::size_t>(pair->train.image_bytes());
  std::vector<std::vector<double>> means(10, std::vector<double>(size));
  std::vector<double> counts(10);
  for (std::size_t n = 0; n < 500; ++n) {
    const std::size_t label = pair->train.labels[n];
    counts[label] += 1;
    for (std::size_t at = 0; at < size; ++at)
      means[label][at] += pair->train.pixels[n * size + at];
  }
  int hits = 0;
  for (std::size_t n = 0; n < 200; ++n) {
    std::size_t best = 0;
    double least = 1e300;
    for (std::size_t label = 0; label < 10; ++label) {
      double distance = 0;
      for (std::size_t at = 0; at < size; ++at) {
        const double gap = means[label][at] / counts[label] - pair->test.pixels[n * size + at];
        distance += gap * gap;
      }
      if (distance < least) {
        least = distance;
        best = label;
      }
    }
    if (best == pair->test.labels[n]) ++hits;
  }
  EXPECT_EQ(hits, 200);
}

TEST(GeneratedImages, RejectImpossibleSizes) {
  DataSource source = generated(1);
  source.generated.width = 0;
  EXPECT_EQ(to_string(open(source).error()), "generated images: width = 0; use 1 or more");
  source = generated(1);
  source.generated.classes = 65537;
  EXPECT_EQ(to_string(open(source).error()),
            "generated images: classes = 65537; use 65536 or fewer");
}

}  // namespace
}  // namespace quintet

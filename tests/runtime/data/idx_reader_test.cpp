#include "runtime/data/idx_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/data/idx_bytes.h"

namespace quintet {
namespace {

using test::Bytes;
using test::gzipped;
using test::idx_bytes;

const Bytes kImages = idx_bytes({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255});
const Bytes kLabels = idx_bytes({2}, {9, 0});

std::string error_of(const Bytes& bytes, int rank) {
  const auto array = parse_idx(bytes, rank, "f");
  return array ? "no error" : to_string(array.error());
}

TEST(ParseIdx, GivesSizesAndBytes) {
  const auto images = parse_idx(kImages, 3, "f");
  ASSERT_TRUE(images.has_value()) << to_string(images.error());
  EXPECT_EQ(images->dims, (std::vector<std::int64_t>{2, 2, 3}));
  EXPECT_EQ(images->bytes, (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255}));
}

TEST(ParseIdx, RejectsAFileCutAtAnyLengthAndSaysHowMuchIsMissing) {
  for (std::size_t length = 0; length < kImages.size(); ++length) {
    const Bytes cut(kImages.begin(), kImages.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_FALSE(parse_idx(cut, 3, "f").has_value()) << length;
  }
  EXPECT_EQ(error_of({}, 3), "f: the file is empty");
  EXPECT_EQ(error_of({0, 0}, 3), "f: truncated: 2 bytes of 16");
  EXPECT_EQ(error_of(Bytes(kImages.begin(), kImages.end() - 1), 3), "f: truncated: 27 bytes of 28");
}

TEST(ParseIdx, RejectsBytesAfterTheEnd) {
  Bytes longer = kImages;
  longer.push_back(0);
  EXPECT_EQ(error_of(longer, 3), "f: 1 bytes too many after the 28 that its header announces");
}

TEST(ParseIdx, TellsLabelsFromImages) {
  EXPECT_EQ(error_of(kLabels, 3),
            "f: holds labels (1 dimensions), not images (3); put the file of the images there");
  EXPECT_EQ(error_of(kImages, 1),
            "f: holds images (3 dimensions), not labels (1); put the file of the labels there");
}

TEST(ParseIdx, RejectsWhatIsNotIdxOrNotBytes) {
  EXPECT_EQ(error_of({'P', 'N', 'G', '\n', 0}, 3),
            "f: starts with 50 4e 47 0a, not with IDX's 00 00 08 03");
  Bytes floats = kImages;
  floats[2] = 0x0D;
  EXPECT_EQ(error_of(floats, 3),
            "f: holds elements of IDX type 0x0d, not unsigned bytes (0x08); convert it to unsigned "
            "bytes");
}

TEST(ParseIdx, RejectsSizesThatCannotBe) {
  EXPECT_EQ(error_of(idx_bytes({0, 28, 28}, {}), 3), "f: dimension 0 is 0");
  EXPECT_EQ(error_of(idx_bytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {1}), 3),
            "f: the sizes in its header are impossible");
  EXPECT_EQ(error_of(idx_bytes({0xFFFFFFFF, 2, 1}, {1}), 3),
            "f: truncated: 17 bytes of 8589934606");
}

TEST(ParseIdx, SurvivesEveryByteChanged) {
  for (std::size_t at = 0; at < kImages.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      Bytes changed = kImages;
      changed[at] = static_cast<std::uint8_t>(value);
      const auto array = parse_idx(changed, 3, "f");
      // The first 16 bytes are the header, where every change shows.
      if (at < 16) {
        EXPECT_EQ(array.has_value(), changed == kImages) << at << " " << value;
      } else {
        EXPECT_TRUE(array.has_value());
      }
    }
  }
}

TEST(Unzip, GivesBackWhatWasZipped) {
  Bytes bytes(1'000'000);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    bytes[at] = static_cast<std::uint8_t>(at * at / 7);
  const auto unpacked = unzip(gzipped(bytes), "f");
  ASSERT_TRUE(unpacked.has_value()) << to_string(unpacked.error());
  EXPECT_EQ(*unpacked, bytes);
}

TEST(Unzip, RejectsGzipDataCutAtAnyLength) {
  const Bytes packed = gzipped(kImages);
  for (std::size_t length = 0; length < packed.size(); ++length) {
    const auto unpacked = unzip({packed.data(), length}, "f");
    ASSERT_FALSE(unpacked.has_value()) << length;
    EXPECT_TRUE(unpacked.error().message.starts_with("truncated: ")) << unpacked.error().message;
  }
}

TEST(Unzip, RejectsDamagedDataAndDataAfterTheEnd) {
  Bytes packed = gzipped(kImages);
  packed.push_back(7);
  EXPECT_EQ(to_string(unzip(packed, "f").error()),
            "f: 1 bytes too many after the end of its gzip data");
  packed.pop_back();
  packed[packed.size() - 8] ^= 1U;  // the check sum
  EXPECT_EQ(to_string(unzip(packed, "f").error()),
            "f: the gzip data is damaged (incorrect data check)");
}

class IdxFiles : public test::FolderTest {};

TEST_F(IdxFiles, ReadRawAndZippedAlike) {
  for (const bool zipped : {false, true}) {
    const std::string images = write("images", zipped ? gzipped(kImages) : kImages);
    const std::string labels = write("labels", zipped ? gzipped(kLabels) : kLabels);
    const auto dataset = read_idx_images(images, labels, 10);
    ASSERT_TRUE(dataset.has_value()) << to_string(dataset.error());
    EXPECT_EQ(dataset->count, 2);
    EXPECT_EQ(dataset->height, 2);
    EXPECT_EQ(dataset->width, 3);
    EXPECT_EQ(dataset->channels, 1);
    EXPECT_EQ(dataset->classes, 10);
    EXPECT_EQ(dataset->pixels.size(), 12U);
    EXPECT_THAT(dataset->labels, testing::ElementsAre(9, 0));
    EXPECT_FALSE(dataset->generated);
  }
}

TEST_F(IdxFiles, NameTheFileThatIsMissingOrAFolder) {
  const std::string labels = write("labels", kLabels);
  EXPECT_EQ(to_string(read_idx_images(folder() + "/images", labels, 10).error()),
            folder() + "/images: no such file");
  EXPECT_EQ(to_string(read_idx_images(folder(), labels, 10).error()),
            folder() + ": is a folder, not a file");
}

TEST_F(IdxFiles, RejectEmptyFilesAndCutGzip) {
  const std::string labels = write("labels", kLabels);
  EXPECT_EQ(read_idx_images(write("images", {}), labels, 10).error().message, "the file is empty");
  Bytes packed = gzipped(kImages);
  packed.pop_back();
  EXPECT_FALSE(read_idx_images(write("images", packed), labels, 10).has_value());
}

TEST_F(IdxFiles, RejectLabelsThatDoNotBelongToTheImages) {
  const std::string images = write("images", kImages);
  const std::string three = write("labels", idx_bytes({3}, {1, 2, 3}));
  EXPECT_EQ(
      to_string(read_idx_images(images, three, 10).error()),
      three + ": 3 labels for the 2 images of " + images + "; use the labels of the same images");
  const std::string high = write("labels", idx_bytes({2}, {1, 10}));
  EXPECT_EQ(to_string(read_idx_images(images, high, 10).error()),
            high + ": label 10 of image 1 is not below 10; use the labels of the same data set");
}

}  // namespace
}  // namespace quintet

#include "runtime/data/cifar_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/data/reader_catalog.h"
#include "tests/runtime/data/idx_bytes.h"

namespace quintet {
namespace {

using test::Bytes;

/// A record whose plane c has the value 10 * c + pixel % 10 (+ shift) at each pixel.
Bytes record(std::uint8_t label, int shift = 0) {
  Bytes bytes = {label};
  for (int channel = 0; channel < 3; ++channel) {
    for (int pixel = 0; pixel < 1024; ++pixel)
      bytes.push_back(static_cast<std::uint8_t>(10 * channel + pixel % 10 + shift));
  }
  return bytes;
}

Bytes joined(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string error_of(const Bytes& bytes) {
  ImageDataset dataset;
  const Result<void> appended = append_cifar_records(bytes, "b.bin", dataset);
  return appended ? "no error" : to_string(appended.error());
}

TEST(CifarRecords, TurnPlanesIntoPixels) {
  ImageDataset dataset;
  ASSERT_TRUE(append_cifar_records(joined(record(3), record(9, 100)), "b.bin", dataset));
  ASSERT_TRUE(append_cifar_records(record(0, 50), "c.bin", dataset));
  EXPECT_EQ(dataset.count, 3);
  EXPECT_EQ(dataset.height, 32);
  EXPECT_EQ(dataset.width, 32);
  EXPECT_EQ(dataset.channels, 3);
  EXPECT_EQ(dataset.classes, 10);
  EXPECT_THAT(dataset.labels, testing::ElementsAre(3, 9, 0));
  ASSERT_EQ(dataset.pixels.size(), 3U * 3072);
  const int shifts[] = {0, 100, 50};
  for (std::size_t i = 0; i < dataset.pixels.size(); ++i) {
    const int channel = static_cast<int>(i % 3);
    const int pixel = static_cast<int>(i / 3 % 1024);
    ASSERT_EQ(dataset.pixels[i], 10 * channel + pixel % 10 + shifts[i / 3072]) << i;
  }
}

TEST(CifarRecords, NameFileFaultAndCure) {
  EXPECT_EQ(error_of({}), "b.bin: the file is empty; unpack cifar-10-binary.tar.gz again");
  Bytes cut = record(1);
  cut.pop_back();
  EXPECT_EQ(
      error_of(cut),
      "b.bin: 3072 bytes are no whole number of records of 3073: 3072 bytes too many; use the "
      "binary version of CIFAR-10, unpacked in full");
  EXPECT_EQ(error_of(joined(record(1), {7})),
            "b.bin: 3074 bytes are no whole number of records of 3073: 1 bytes too many; use the "
            "binary version of CIFAR-10, unpacked in full");
  EXPECT_EQ(error_of(joined(record(9), record(10))),
            "b.bin: label 10 of record 1 is not below 10; use the binary version of CIFAR-10 (not "
            "CIFAR-100), undamaged");
}

class CifarFiles : public test::FolderTest {
 protected:
  Result<DatasetPair> open() const {
    DataSource source;
    source.dataset = "cifar-10";
    source.directory = folder();
    return (*find_reader("cifar-10"))->open(source);
  }
};

TEST_F(CifarFiles, AreReadInTheOrderOfTheirNumbers) {
  for (int i = 1; i <= 5; ++i)
    write("data_batch_" + std::to_string(i) + ".bin", record(static_cast<std::uint8_t>(i), i));
  write("test_batch.bin", joined(record(7), record(8)));
  const auto pair = open();
  ASSERT_TRUE(pair.has_value()) << to_string(pair.error());
  EXPECT_EQ(pair->train.name, "cifar-10");
  EXPECT_FALSE(pair->train.generated);
  EXPECT_EQ(pair->train.count, 5);
  EXPECT_THAT(pair->train.labels, testing::ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(pair->test.labels, testing::ElementsAre(7, 8));
  EXPECT_EQ(pair->test.pixels.size(), 2U * 3072);
}

TEST_F(CifarFiles, AreNamedWithTheCureWhereMissingOrDamaged) {
  const std::string cure =
      "unpack cifar-10-binary.tar.gz and set directory under [data] to its folder";
  EXPECT_EQ(to_string(open().error()), folder() + "/data_batch_1.bin: no such file; " + cure);
  for (int i = 1; i <= 5; ++i)
    write("data_batch_" + std::to_string(i) + ".bin", record(1));
  EXPECT_EQ(to_string(open().error()), folder() + "/test_batch.bin: no such file; " + cure);
  write("test_batch.bin", record(1));
  EXPECT_TRUE(open().has_value());
  write("data_batch_4.bin", record(77));
  EXPECT_EQ(open().error().file, folder() + "/data_batch_4.bin");
}

}  // namespace
}  // namespace quintet

#include "runtime/data/cifar_reader.h"

#include <filesystem>
#include <fmt/format.h>
#include <vector>

#include "runtime/data/file_bytes.h"

namespace quintet {

namespace {

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kPlane = kSide * kSide;
constexpr std::int64_t kChannels = 3;
constexpr std::int64_t kCifarClasses = 10;
constexpr int kTrainFiles = 5;

/// From planes to pixels.
void append_image(const std::uint8_t* planes, std::vector<std::uint8_t>& pixels) {
  for (std::int64_t pixel = 0; pixel < kPlane; ++pixel) {
    for (std::int64_t channel = 0; channel < kChannels; ++channel)
      pixels.push_back(planes[channel * kPlane + pixel]);
  }
}

Result<ImageDataset> read_files(const std::string& directory,
                                const std::vector<std::string>& names) {
  ImageDataset dataset;
  dataset.name = "cifar-10";
  for (const std::string& name : names) {
    const std::string path = (std::filesystem::path(directory) / name).string();
    Result<std::vector<std::uint8_t>> bytes = read_bytes(path);
    if (!bytes) {
      Error error = bytes.error();
      if (error.cure.empty())
        error.cure = "unpack cifar-10-binary.tar.gz and set directory under [data] to its folder";
      return tl::unexpected(error);
    }
    const Result<void> appended = append_cifar_records(*bytes, path, dataset);
    if (!appended) return tl::unexpected(appended.error());
  }
  return dataset;
}

}  // namespace

Result<void> append_cifar_records(std::span<const std::uint8_t> bytes, const std::string& file,
                                  ImageDataset& dataset) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (size == 0) return fail("the file is empty", "unpack cifar-10-binary.tar.gz again", file);
  if (size % kCifarRecordBytes != 0) {
    return fail(fmt::format("{} bytes are no whole number of records of {}: {} bytes too many",
                            size, kCifarRecordBytes, size % kCifarRecordBytes),
                "use the binary version of CIFAR-10, unpacked in full", file);
  }
  dataset.height = kSide;
  dataset.width = kSide;
  dataset.channels = kChannels;
  dataset.classes = kCifarClasses;
  const std::int64_t records = size / kCifarRecordBytes;
  dataset.labels.reserve(dataset.labels.size() + static_cast<std::size_t>(records));
  dataset.pixels.reserve(dataset.pixels.size() + static_cast<std::size_t>(size - records));
  for (std::int64_t record = 0; record < records; ++record) {
    const std::uint8_t* const data = bytes.data() + record * kCifarRecordBytes;
    if (data[0] >= kCifarClasses) {
      return fail(
          fmt::format("label {} of record {} is not below {}", data[0], record, kCifarClasses),
          "use the binary version of CIFAR-10 (not CIFAR-100), undamaged", file);
    }
    dataset.labels.push_back(data[0]);
    append_image(data + 1, dataset.pixels);
  }
  dataset.count += records;
  return {};
}

Result<DatasetPair> open_cifar10(const DataSource& source) {
  std::vector<std::string> names;
  for (int i = 1; i <= kTrainFiles; ++i)
    names.push_back(fmt::format("data_batch_{}.bin", i));
  Result<ImageDataset> train = read_files(source.directory, names);
  if (!train) return tl::unexpected(train.error());
  Result<ImageDataset> test = read_files(source.directory, {"test_batch.bin"});
  if (!test) return tl::unexpected(test.error());
  return DatasetPair{std::move(*train), std::move(*test)};
}

}  // namespace quintet

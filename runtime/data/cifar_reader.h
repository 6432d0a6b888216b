/// CIFAR-10 in its binary version: data_batch_1.bin to data_batch_5.bin and test_batch.bin, each a
/// row of records of a label and a 32x32 image in red, green and blue planes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/data/data_source.h"
#include "runtime/data/image_dataset.h"
#include "runtime/model/result.h"

namespace quintet {

inline constexpr std::int64_t kCifarRecordBytes = 1 + 3 * 32 * 32;

/// Appends the images (as HWC) and labels of a file's bytes to `dataset`, an empty one or one of
/// CIFAR's sizes. Errors name `file`: empty, not a whole number of records, a label that is not
/// below 10.
Result<void> append_cifar_records(std::span<const std::uint8_t> bytes, const std::string& file,
                                  ImageDataset& dataset);

/// Reads the six files in `source.directory`. Errors: a missing file, those above.
Result<DatasetPair> open_cifar10(const DataSource& source);

}  // namespace quintet

/// Fashion-MNIST as Debian's dataset-fashion-mnist installs it: four IDX files, gzipped or not.
#pragma once

#include "runtime/data/data_source.h"
#include "runtime/data/image_dataset.h"
#include "runtime/model/result.h"

namespace quintet {

/// Reads `source.directory`. Errors: those of read_idx_images, and train and test images of
/// different sizes.
Result<DatasetPair> open_fashion_mnist(const DataSource& source);

}  // namespace quintet

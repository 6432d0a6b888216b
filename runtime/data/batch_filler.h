/// Images and labels as the network takes them: normalised floats and 32-bit labels, written into a
/// pinned batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/data/image_dataset.h"

namespace quintet {

/// Mean and standard deviation of the pixels, scaled to 0..1, per channel.
struct Normalisation {
  std::vector<double> mean;
  std::vector<double> deviation;  ///< 1 where all pixels are equal
};

/// Of the whole data set; sums are exact integers, so the order of the images does not matter.
/// Taken from the training part and used for the test part too.
Normalisation normalisation_of(const ImageDataset& train);

/// Writes batches of one data set. Refers to the data set, which must live longer. Threads: any
/// number may fill at once, into different places; a large batch is shared out among a few threads of
/// its own. Throws std::system_error where no thread can be started.
///   BatchFiller filler(pair.train, normalisation_of(pair.train));
///   filler.fill(indices, images, labels);
class BatchFiller {
 public:
  BatchFiller(const ImageDataset& dataset, const Normalisation& normalisation);

  /// The images at `indices` as NHWC floats, (x / 255 - mean) / deviation, and their labels. The
  /// sizes must fit (asserted).
  void fill(std::span<const std::uint32_t> indices, std::span<float> images,
            std::span<std::int32_t> labels) const;

 private:
  void fill_part(std::span<const std::uint32_t> indices, std::span<float> images,
                 std::span<std::int32_t> labels) const;

  const ImageDataset* dataset_;
  std::vector<float> float_of_;  ///< of each pixel value, 256 per channel
};

}  // namespace quintet

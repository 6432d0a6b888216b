/// Labelled 8-bit images in memory, as every reader yields them and the loader draws from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quintet {

/// `pixels` is count x height x width x channels (HWC, row-major), `labels` one class index below
/// `classes` per image.
struct ImageDataset {
  std::string name;        ///< "fashion-mnist"; generated data begins with "generated"
  bool generated = false;  ///< made by a program, not read: reports say so
  std::int64_t count = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 1;
  std::int64_t classes = 10;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint16_t> labels;

  [[nodiscard]] std::int64_t image_bytes() const { return height * width * channels; }
};

/// A training and a test part.
struct DatasetPair {
  ImageDataset train;
  ImageDataset test;
};

}  // namespace quintet

#include "runtime/data/generated_images.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "runtime/data/random_bits.h"

namespace quintet {

namespace {

/// Edge of the squares that a class pattern is made of: coarse, so that pooling keeps it.
constexpr std::int64_t kCell = 4;
/// Pixels move by at most this much to either side.
constexpr int kNoise = 64;

/// Streams of random bits: patterns, training part, test part.
enum Stream : std::uint64_t { kPatterns, kTrain, kTest };

using Pattern = std::vector<std::uint8_t>;

Pattern make_pattern(const GeneratedSizes& sizes, RandomBits& random) {
  const std::int64_t rows = (sizes.height + kCell - 1) / kCell;
  const std::int64_t columns = (sizes.width + kCell - 1) / kCell;
  Pattern cells(static_cast<std::size_t>(rows * columns * sizes.channels));
  for (std::uint8_t& cell : cells)
    cell = static_cast<std::uint8_t>(random.below(256));
  Pattern pattern;
  for (std::int64_t y = 0; y < sizes.height; ++y) {
    for (std::int64_t x = 0; x < sizes.width; ++x) {
      for (std::int64_t c = 0; c < sizes.channels; ++c) {
        const std::int64_t cell = (y / kCell * columns + x / kCell) * sizes.channels + c;
        pattern.push_back(cells[static_cast<std::size_t>(cell)]);
      }
    }
  }
  return pattern;
}

ImageDataset make_part(const GeneratedSizes& sizes, const std::vector<Pattern>& patterns,
                       std::int64_t count, RandomBits random) {
  ImageDataset part;
  part.name = "generated-images";
  part.generated = true;
  part.count = count;
  part.height = sizes.height;
  part.width = sizes.width;
  part.channels = sizes.channels;
  part.classes = sizes.classes;
  part.pixels.reserve(static_cast<std::size_t>(count * part.image_bytes()));
  part.labels.reserve(static_cast<std::size_t>(count));
  for (std::int64_t image = 0; image < count; ++image) {
    const std::uint64_t label = random.below(static_cast<std::uint64_t>(sizes.classes));
    part.labels.push_back(static_cast<std::uint16_t>(label));
    for (const std::uint8_t pixel : patterns[label]) {
      const int noise = static_cast<int>(random.below(2 * kNoise + 1)) - kNoise;
      part.pixels.push_back(static_cast<std::uint8_t>(std::clamp(int{pixel} + noise, 0, 255)));
    }
  }
  return part;
}

}  // namespace

Result<DatasetPair> open_generated_images(const DataSource& source) {
  const GeneratedSizes& sizes = source.generated;
  for (const auto& [name, size] :
       std::array{std::pair{"train", sizes.train}, std::pair{"test", sizes.test},
                  std::pair{"height", sizes.height}, std::pair{"width", sizes.width},
                  std::pair{"channels", sizes.channels}, std::pair{"classes", sizes.classes}}) {
    if (size < 1) {
      return fail(fmt::format("generated images: {} = {}", name, size), "use 1 or more");
    }
  }
  if (sizes.classes > 65536) {
    return fail(fmt::format("generated images: classes = {}", sizes.classes), "use 65536 or fewer");
  }
  RandomBits random(source.seed, kPatterns);
  std::vector<Pattern> patterns;
  for (std::int64_t label = 0; label < sizes.classes; ++label)
    patterns.push_back(make_pattern(sizes, random));
  return DatasetPair{make_part(sizes, patterns, sizes.train, RandomBits(source.seed, kTrain)),
                     make_part(sizes, patterns, sizes.test, RandomBits(source.seed, kTest))};
}

}  // namespace quintet

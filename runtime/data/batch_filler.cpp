#include "runtime/data/batch_filler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>

namespace quintet {

namespace {

constexpr std::size_t kValues = 256;

/// How many threads fill a batch of so many bytes: the caller alone where it is small or the machine
/// is; the streams of the host executor want their processors.
std::size_t workers_for(std::size_t bytes) {
  constexpr std::size_t kBytesPerWorker = std::size_t{8} << 20;
  const std::size_t spare = std::thread::hardware_concurrency() / 2;
  return std::clamp<std::size_t>(bytes / kBytesPerWorker, 1, std::max<std::size_t>(1, spare));
}

}  // namespace

Normalisation normalisation_of(const ImageDataset& train) {
  assert(train.pixels.size() % static_cast<std::size_t>(train.channels) == 0);
  const auto channels = static_cast<std::size_t>(train.channels);
  std::vector<std::uint64_t> sums(channels);
  std::vector<std::uint64_t> squares(channels);
  for (std::size_t at = 0; at < train.pixels.size(); at += channels) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const std::uint64_t pixel = train.pixels[at + channel];
      sums[channel] += pixel;
      squares[channel] += pixel * pixel;
    }
  }
  Normalisation normalisation;
  const double count = static_cast<double>(train.pixels.size() / channels);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const double mean = count > 0 ? static_cast<double>(sums[channel]) / count : 0;
    const double variance =
        count > 0 ? static_cast<double>(squares[channel]) / count - mean * mean : 0;
    normalisation.mean.push_back(mean / 255.0);
    // Pixels are integers: a true variance this small means that they are all equal.
    normalisation.deviation.push_back(variance < 1e-6 ? 1.0 : std::sqrt(variance) / 255.0);
  }
  return normalisation;
}

BatchFiller::BatchFiller(const ImageDataset& dataset, const Normalisation& normalisation)
    : dataset_(&dataset) {
  assert(static_cast<std::int64_t>(normalisation.mean.size()) == dataset.channels);
  for (std::size_t channel = 0; channel < normalisation.mean.size(); ++channel) {
    for (std::size_t value = 0; value < kValues; ++value) {
      float_of_.push_back(
          static_cast<float>((static_cast<double>(value) / 255.0 - normalisation.mean[channel]) /
                             normalisation.deviation[channel]));
    }
  }
}

void BatchFiller::fill(std::span<const std::uint32_t> indices, std::span<float> images,
                       std::span<std::int32_t> labels) const {
  const auto image_size = static_cast<std::size_t>(dataset_->image_bytes());
  assert(images.size() == indices.size() * image_size && labels.size() == indices.size());
  const std::size_t workers = std::min(workers_for(images.size_bytes()), indices.size());
  std::vector<std::thread> helpers;
  std::size_t begin = 0;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    const std::size_t end = indices.size() * (worker + 1) / workers;
    const auto part = [this, indices = indices.subspan(begin, end - begin),
                       images = images.subspan(begin * image_size, (end - begin) * image_size),
                       labels = labels.subspan(begin, end - begin)] {
      fill_part(indices, images, labels);
    };
    begin = end;
    if (worker + 1 == workers) {
      part();
    } else {
      helpers.emplace_back(part);
    }
  }
  for (std::thread& helper : helpers)
    helper.join();
}

void BatchFiller::fill_part(std::span<const std::uint32_t> indices, std::span<float> images,
                            std::span<std::int32_t> labels) const {
  const auto image_size = static_cast<std::size_t>(dataset_->image_bytes());
  const auto channels = static_cast<std::size_t>(dataset_->channels);
  float* out = images.data();
  for (std::size_t n = 0; n < indices.size(); ++n) {
    assert(indices[n] < static_cast<std::uint64_t>(dataset_->count));
    const std::uint8_t* pixels = dataset_->pixels.data() + indices[n] * image_size;
    for (std::size_t at = 0; at < image_size; at += channels) {
      for (std::size_t channel = 0; channel < channels; ++channel) {
        *out++ = float_of_[channel * kValues + pixels[at + channel]];
      }
    }
    labels[n] = dataset_->labels[indices[n]];
  }
}

}  // namespace quintet

#include "runtime/data/fashion_mnist.h"

#include <filesystem>
#include <fmt/format.h>

#include "runtime/data/idx_reader.h"

namespace quintet {

namespace {

constexpr std::int64_t kFashionClasses = 10;

/// The file as Debian gzips it, unless the unpacked one lies there.
std::string path_of(const std::string& directory, const std::string& name) {
  const std::filesystem::path raw = std::filesystem::path(directory) / name;
  std::error_code code;
  if (std::filesystem::exists(raw, code)) return raw.string();
  return raw.string() + ".gz";
}

Result<ImageDataset> read_part(const std::string& directory, const std::string& prefix) {
  auto part = read_idx_images(path_of(directory, prefix + "-images-idx3-ubyte"),
                              path_of(directory, prefix + "-labels-idx1-ubyte"), kFashionClasses);
  if (part) {
    part->name = "fashion-mnist";
  } else if (part.error().cure.empty()) {
    part.error().cure = "run apt-get install dataset-fashion-mnist, or set directory under [data]";
  }
  return part;
}

}  // namespace

Result<DatasetPair> open_fashion_mnist(const DataSource& source) {
  auto train = read_part(source.directory, "train");
  if (!train) return tl::unexpected(train.error());
  auto test = read_part(source.directory, "t10k");
  if (!test) return tl::unexpected(test.error());
  if (train->height != test->height || train->width != test->width) {
    return fail(fmt::format("training images are {}x{}, test images {}x{}", train->height,
                            train->width, test->height, test->width),
                "use the files of one data set", source.directory);
  }
  return DatasetPair{std::move(*train), std::move(*test)};
}

}  // namespace quintet

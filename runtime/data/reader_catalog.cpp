#include "runtime/data/reader_catalog.h"

#include <array>
#include <fmt/format.h>
#include <string>

#include "runtime/data/cifar_reader.h"
#include "runtime/data/fashion_mnist.h"
#include "runtime/data/generated_images.h"

namespace quintet {

namespace {

constexpr bool kGenerated = true;
constexpr bool kInstalled = true;

DataShape shape_of_cifar10(const DataSource& /*source*/) {
  return {50000, 10000, 32, 32, 3, 10};
}

DataShape shape_of_fashion_mnist(const DataSource& /*source*/) {
  return {60000, 10000, 28, 28, 1, 10};
}

DataShape shape_of_generated_images(const DataSource& source) {
  const GeneratedSizes& sizes = source.generated;
  return {sizes.train, sizes.test, sizes.height, sizes.width, sizes.channels, sizes.classes};
}

constexpr std::array kCatalog = {
    DataReader{"cifar-10", "50,000 + 10,000 colour images, 32x32, 10 classes (CIFAR binary)",
               !kGenerated, !kInstalled, open_cifar10, shape_of_cifar10},
    DataReader{"fashion-mnist", "60,000 + 10,000 grey images of clothes, 28x28, 10 classes (IDX)",
               !kGenerated, kInstalled, open_fashion_mnist, shape_of_fashion_mnist},
    DataReader{"generated-images", "images made from a seed, for tests and throughput", kGenerated,
               !kInstalled, open_generated_images, shape_of_generated_images},
};

}  // namespace

std::span<const DataReader> reader_catalog() {
  return kCatalog;
}

Result<const DataReader*> find_reader(std::string_view name) {
  std::string known;
  for (const DataReader& reader : kCatalog) {
    if (reader.name == name) return &reader;
    known += (known.empty() ? "" : ", ") + std::string(reader.name);
  }
  return fail(fmt::format("no data set is called \"{}\"", name), "use one of " + known);
}

}  // namespace quintet

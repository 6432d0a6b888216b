#include "runtime/data/reader_catalog.h"

#include <array>
#include <fmt/format.h>
#include <string>

#include "runtime/data/fashion_mnist.h"
#include "runtime/data/generated_images.h"

namespace quintet {

namespace {

constexpr std::array kCatalog = {
    DataReader{"fashion-mnist", "60,000 + 10,000 grey images of clothes, 28x28, 10 classes (IDX)",
               false, open_fashion_mnist},
    DataReader{"generated-images", "images made from a seed, for tests and throughput", true,
               open_generated_images},
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

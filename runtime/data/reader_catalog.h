/// The data sets that can be opened, by the name a scenario gives. One reader, one file set, one
/// line in the catalog.
#pragma once

#include <span>
#include <string_view>

#include "runtime/data/data_shape.h"
#include "runtime/data/data_source.h"
#include "runtime/data/image_dataset.h"
#include "runtime/model/result.h"

namespace quintet {

struct DataReader {
  std::string_view name;
  std::string_view description;
  bool generated = false;  ///< makes its images, reads no file
  bool installed = false;  ///< where DataSource::directory says it is, unless the scenario differs
  Result<DatasetPair> (*open)(const DataSource& source) = nullptr;
  /// What `open` yields where the data set is whole, told without opening it.
  DataShape (*shape)(const DataSource& source) = nullptr;
};

std::span<const DataReader> reader_catalog();

/// The reader of that name, or an error that lists those there are.
Result<const DataReader*> find_reader(std::string_view name);

}  // namespace quintet

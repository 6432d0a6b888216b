/// How much data there is and how it is shaped: all that planning a run needs to know of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/data/image_dataset.h"
#include "runtime/model/result.h"

namespace quintet {

/// Images of height x width x channels, one class index below `classes` each.
struct DataShape {
  std::int64_t train_count = 0;
  std::int64_t test_count = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 1;
  std::int64_t classes = 10;
  friend bool operator==(const DataShape&, const DataShape&) = default;
};

inline DataShape shape_of(const DatasetPair& data) {
  return {data.train.count, data.test.count,     data.train.height,
          data.train.width, data.train.channels, data.train.classes};
}

/// "60000 + 10000 of 28x28x1, 10 classes": training and test images, height x width x channels.
std::string text_of(const DataShape& shape);
/// Reads what text_of() wrote. Error: anything else.
Result<DataShape> parse_data_shape(std::string_view text);

}  // namespace quintet

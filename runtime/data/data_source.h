/// What a scenario says about its data: which reader, and what that reader needs to know.
#pragma once

#include <cstdint>
#include <string>

namespace quintet {

/// Sizes of generated data; readers of files ignore it.
struct GeneratedSizes {
  std::int64_t train = 256;
  std::int64_t test = 128;
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t channels = 1;
  std::int64_t classes = 10;
};

struct DataSource {
  std::string dataset = "fashion-mnist";                        ///< a name of the reader catalog
  std::string directory = "/usr/share/datasets/fashion-mnist";  ///< of files; ignored by generators
  std::uint64_t seed = 1;                                       ///< of generated data
  GeneratedSizes generated;
};

}  // namespace quintet

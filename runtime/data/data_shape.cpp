#include "runtime/data/data_shape.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace quintet {

std::string text_of(const DataShape& shape) {
  return fmt::format("{} + {} of {}x{}x{}, {} classes", shape.train_count, shape.test_count,
                     shape.height, shape.width, shape.channels, shape.classes);
}

Result<DataShape> parse_data_shape(std::string_view text) {
  DataShape shape;
  const std::array fields = {&shape.train_count, &shape.test_count, &shape.height,
                             &shape.width,       &shape.channels,   &shape.classes};
  constexpr std::array<std::string_view, 6> kAfter = {" + ", " of ", "x", "x", ", ", " classes"};
  std::string_view rest = text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto [stop, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), *fields.at(i));
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    if (error != std::errc() || !rest.starts_with(kAfter.at(i))) {
      return fail(fmt::format("\"{}\" is no shape of data", text),
                  "write it as \"60000 + 10000 of 28x28x1, 10 classes\"");
    }
    rest.remove_prefix(kAfter.at(i).size());
  }
  if (!rest.empty()) return fail(fmt::format("\"{}\" goes on after a shape of data", text));
  return shape;
}

}  // namespace quintet

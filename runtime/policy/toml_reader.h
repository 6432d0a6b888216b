/// TOML text to values that know their lines. Its .cpp is the only file that compiles toml++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

struct TomlEntry;

/// Dates and times, which no file of ours has, are the monostate.
struct TomlValue {
  std::variant<std::monostate, std::string, std::int64_t, double, bool, std::vector<TomlValue>,
               std::vector<TomlEntry>>
      data;
  int line = 0;
};

/// A key of a table; tables keep the order of the file.
struct TomlEntry {
  std::string key;
  TomlValue value;
  int line = 0;
};

using TomlArray = std::vector<TomlValue>;
using TomlTable = std::vector<TomlEntry>;

/// The top table of a text. Errors: not TOML, with the line where that shows.
Result<TomlValue> parse_toml(std::string_view text, const std::string& file);

}  // namespace quintet

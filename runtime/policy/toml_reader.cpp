#include "runtime/policy/toml_reader.h"

#include <algorithm>
#include <toml++/toml.h>

namespace quintet {

namespace {

int line_of(const toml::source_region& source) {
  return static_cast<int>(source.begin.line);
}

TomlValue convert(const toml::node& node);

TomlTable convert_table(const toml::table& table) {
  TomlTable entries;
  for (const auto& [key, node] : table) {
    entries.push_back({std::string(key.str()), convert(node), line_of(key.source())});
  }
  // toml++ sorts by key; people read, and errors cite, by line.
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
  return entries;
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.line = line_of(node.source());
  if (const toml::table* table = node.as_table()) {
    value.data = convert_table(*table);
  } else if (const toml::array* array = node.as_array()) {
    TomlArray items;
    for (const toml::node& item : *array)
      items.push_back(convert(item));
    value.data = std::move(items);
  } else if (const auto* text = node.as_string()) {
    value.data = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.data = number->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.data = flag->get();
  }
  return value;
}

}  // namespace

Result<TomlValue> parse_toml(std::string_view text, const std::string& file) {
  try {
    return convert(toml::parse(text, std::string_view(file)));
  } catch (const toml::parse_error& error) {
    std::string message(error.description());
    while (!message.empty() && message.back() == '.')
      message.pop_back();
    return fail("not valid TOML: " + message, "mend the line", file, line_of(error.source()));
  }
}

}  // namespace quintet

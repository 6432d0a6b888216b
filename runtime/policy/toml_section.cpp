#include "runtime/policy/toml_section.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "runtime/policy/nearest_name.h"
#include "runtime/policy/toml_reader.h"

namespace quintet {

namespace {

/// Indices of TomlValue::data.
enum Type : std::size_t { kOther, kText, kInteger, kNumber, kFlag, kArray, kTable };

constexpr std::string_view name_of_type(std::size_t type) {
  constexpr std::array<std::string_view, 7> kNames = {
      "a date or time", "text", "an integer", "a number", "true or false", "an array", "a table"};
  return kNames[type];
}

}  // namespace

void TomlErrors::add(int line, std::string message, std::string cure) {
  if (first_ && first_->line <= line) return;
  first_ = Error{std::move(message), std::move(cure), file_, line};
}

void TomlErrors::add_missing(int line, std::string message, std::string cure) {
  if (missing_ && missing_->line <= line) return;
  missing_ = Error{std::move(message), std::move(cure), file_, line};
}

TomlSection::TomlSection(const TomlValue* table, std::string name, int line, TomlErrors& errors)
    : table_(table), name_(std::move(name)), line_(line), errors_(&errors) {}

std::string TomlSection::path(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

const TomlValue* TomlSection::find(std::string_view key) {
  asked_.emplace_back(key);
  if (table_ == nullptr) return nullptr;
  for (const TomlEntry& entry : std::get<TomlTable>(table_->data)) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

const TomlValue* TomlSection::expect(std::string_view key, std::size_t type,
                                     std::string_view wanted) {
  const TomlValue* value = find(key);
  if (value == nullptr || value->data.index() == type) return value;
  errors_->add(
      value->line,
      fmt::format("{} is {}, not {}", path(key), name_of_type(value->data.index()), wanted),
      fmt::format("write {}", wanted));
  return nullptr;
}

std::optional<Located<std::string>> TomlSection::text(std::string_view key) {
  const TomlValue* value = expect(key, kText, "text in quotes");
  if (value == nullptr) return std::nullopt;
  return Located<std::string>{std::get<std::string>(value->data), value->line};
}

std::optional<Located<bool>> TomlSection::flag(std::string_view key) {
  const TomlValue* value = expect(key, kFlag, "true or false");
  if (value == nullptr) return std::nullopt;
  return Located<bool>{std::get<bool>(value->data), value->line};
}

std::optional<Located<std::int64_t>> TomlSection::integer(std::string_view key,
                                                          Bounds<std::int64_t> bounds) {
  const TomlValue* value = expect(key, kInteger, "an integer");
  if (value == nullptr) return std::nullopt;
  const std::int64_t integer = std::get<std::int64_t>(value->data);
  if (integer < bounds.lowest || integer > bounds.highest) {
    errors_->add(value->line, fmt::format("{} = {} is out of range", path(key), integer),
                 fmt::format("use {} to {}", bounds.lowest, bounds.highest));
    return std::nullopt;
  }
  return Located<std::int64_t>{integer, value->line};
}

std::optional<Located<double>> TomlSection::number(std::string_view key, Bounds<double> bounds) {
  const TomlValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  double number = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value->data)) {
    number = static_cast<double>(*integer);
  } else if (const auto* floating = std::get_if<double>(&value->data)) {
    number = *floating;
  } else {
    errors_->add(
        value->line,
        fmt::format("{} is {}, not a number", path(key), name_of_type(value->data.index())),
        "write a number");
    return std::nullopt;
  }
  if (!(number >= bounds.lowest && number <= bounds.highest)) {
    errors_->add(value->line, fmt::format("{} = {} is out of range", path(key), number),
                 fmt::format("use {} to {}", bounds.lowest, bounds.highest));
    return std::nullopt;
  }
  return Located<double>{number, value->line};
}

std::optional<Located<std::size_t>> TomlSection::choice(std::string_view key,
                                                        std::span<const std::string_view> names) {
  const auto given = text(key);
  if (!given) return std::nullopt;
  const auto found = std::find(names.begin(), names.end(), given->value);
  if (found == names.end()) {
    errors_->add(given->line, fmt::format("{} = \"{}\" is not known", path(key), given->value),
                 suggestion(given->value, names));
    return std::nullopt;
  }
  return Located<std::size_t>{static_cast<std::size_t>(found - names.begin()), given->line};
}

std::vector<Located<std::string>> TomlSection::texts(std::string_view key) {
  std::vector<Located<std::string>> list;
  const TomlValue* value = expect(key, kArray, "an array of texts");
  if (value == nullptr) return list;
  for (const TomlValue& item : std::get<TomlArray>(value->data)) {
    if (const auto* text = std::get_if<std::string>(&item.data)) {
      list.push_back({*text, item.line});
    } else {
      errors_->add(item.line,
                   fmt::format("{} holds {}, not text", path(key), name_of_type(item.data.index())),
                   "write text in quotes");
    }
  }
  return list;
}

std::vector<Located<std::int64_t>> TomlSection::integers(std::string_view key,
                                                         Bounds<std::int64_t> bounds) {
  std::vector<Located<std::int64_t>> list;
  const TomlValue* value = expect(key, kArray, "an array of integers");
  if (value == nullptr) return list;
  for (const TomlValue& item : std::get<TomlArray>(value->data)) {
    const auto* integer = std::get_if<std::int64_t>(&item.data);
    if (integer == nullptr) {
      errors_->add(
          item.line,
          fmt::format("{} holds {}, not an integer", path(key), name_of_type(item.data.index())),
          "write integers");
    } else if (*integer < bounds.lowest || *integer > bounds.highest) {
      errors_->add(item.line,
                   fmt::format("{} holds {}, which is out of range", path(key), *integer),
                   fmt::format("use {} to {}", bounds.lowest, bounds.highest));
    } else {
      list.push_back({*integer, item.line});
    }
  }
  return list;
}

std::vector<TextEntry> TomlSection::text_entries() {
  std::vector<TextEntry> entries;
  if (table_ == nullptr) return entries;
  for (const TomlEntry& entry : std::get<TomlTable>(table_->data)) {
    if (const auto given = text(entry.key))
      entries.push_back({entry.key, given->value, entry.line});
  }
  return entries;
}

std::vector<std::pair<std::string, Located<std::int64_t>>> TomlSection::integer_entries(
    Bounds<std::int64_t> bounds) {
  std::vector<std::pair<std::string, Located<std::int64_t>>> entries;
  if (table_ == nullptr) return entries;
  for (const TomlEntry& entry : std::get<TomlTable>(table_->data)) {
    if (const auto given = integer(entry.key, bounds)) {
      entries.emplace_back(entry.key, Located<std::int64_t>{given->value, entry.line});
    }
  }
  return entries;
}

TomlSection TomlSection::section(std::string_view key) {
  const TomlValue* value = expect(key, kTable, fmt::format("a table, [{}]", path(key)));
  return {value, path(key), value == nullptr ? line_ : value->line, *errors_};
}

std::vector<TomlSection> TomlSection::sections(std::string_view key) {
  std::vector<TomlSection> list;
  const std::string wanted = fmt::format("an array of tables, [[{}]]", path(key));
  const TomlValue* value = expect(key, kArray, wanted);
  if (value == nullptr) return list;
  for (const TomlValue& item : std::get<TomlArray>(value->data)) {
    if (item.data.index() == kTable) {
      list.push_back(TomlSection(&item, path(key), item.line, *errors_));
    } else {
      errors_->add(
          item.line,
          fmt::format("{} holds {}, not a table", path(key), name_of_type(item.data.index())),
          fmt::format("write {}", wanted));
    }
  }
  return list;
}

void TomlSection::require(std::string_view key, bool given, std::string_view example) {
  if (given) return;
  if (table_ != nullptr && find(key) != nullptr) return;  // there, but wrong: reported already
  const std::string where = name_.empty() ? "" : fmt::format(" of [{}]", name_);
  errors_->add_missing(line_, fmt::format("the key {}{} is missing", key, where),
                       fmt::format("add {}", example));
}

void TomlSection::finish() {
  if (table_ == nullptr) return;
  std::vector<std::string_view> known(asked_.begin(), asked_.end());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const TomlEntry& entry : std::get<TomlTable>(table_->data)) {
    if (std::binary_search(known.begin(), known.end(), entry.key)) continue;
    const bool table = entry.value.data.index() == kTable;
    errors_->add(entry.line,
                 fmt::format("unknown {} {}", table ? "table" : "key",
                             table ? fmt::format("[{}]", path(entry.key)) : path(entry.key)),
                 suggestion(entry.key, known));
  }
}

TomlDocument::TomlDocument(std::unique_ptr<TomlValue> root) : root_(std::move(root)) {}
TomlDocument::TomlDocument(TomlDocument&&) noexcept = default;
TomlDocument& TomlDocument::operator=(TomlDocument&&) noexcept = default;
TomlDocument::~TomlDocument() = default;

Result<TomlDocument> TomlDocument::parse(std::string_view text, const std::string& file) {
  auto root = parse_toml(text, file);
  if (!root) return tl::unexpected(root.error());
  return TomlDocument(std::make_unique<TomlValue>(std::move(*root)));
}

TomlSection TomlDocument::root(TomlErrors& errors) const {
  return {root_.get(), "", 0, errors};
}

/// Written by people: more is another file, or a device that never ends.
constexpr std::size_t kMostFileBytes = std::size_t{4} << 20U;

Result<std::string> read_text_file(const std::string& path, std::string_view what) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) {
    return fail(fmt::format("no such {}", what), "check the path", path);
  }
  if (std::filesystem::is_directory(status)) {
    return fail(fmt::format("is a folder, not a {}", what), "give the path of a file", path);
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(kMostFileBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.good() && !stream.eof()) {
    return fail(fmt::format("cannot read the {}", what), "check its permissions", path);
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMostFileBytes) {
    return fail(fmt::format("is larger than {} MiB: it is no {}", kMostFileBytes >> 20U, what),
                "give the path of a TOML file", path);
  }
  return text;
}

std::string toml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (code < 0x20 || code == 0x7F) {
      quoted += fmt::format("\\u{:04X}", code);
    } else {
      quoted += letter;
    }
  }
  return quoted + "\"";
}

}  // namespace quintet

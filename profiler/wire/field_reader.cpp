#include "profiler/wire/field_reader.h"

#include <bit>
#include <cmath>

#include "profiler/trace/utf8.h"

namespace quintet {

static_assert(std::endian::native == std::endian::little, "columns are little-endian");

FieldReader::FieldReader(const WireJson& json, std::string what)
    : FieldReader(json, std::move(what), nullptr) {}

FieldReader::FieldReader(const WireJson& json, std::string what, FieldReader* above)
    : json_(json), what_(std::move(what)), above_(above) {
  if (!json.is_object() && fine()) root().fault_ = Error{path() + " is no object", {}, {}, 0};
}

std::string FieldReader::path() const {
  return above_ == nullptr ? what_ : above_->path() + "." + what_;
}

void FieldReader::refuse(const char* key, const std::string& why) {
  if (fine()) root().fault_ = Error{fmt::format("{}.{} {}", path(), key, why), {}, {}, 0};
}

const WireJson* FieldReader::find(const char* key) const {
  if (!fine() || !json_.is_object()) return nullptr;
  const auto found = json_.find(key);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

const WireJson* FieldReader::required(const char* key) {
  const WireJson* value = find(key);
  if (value == nullptr) refuse(key, "is missing");
  return value;
}

const WireJson* FieldReader::array(const char* key) {
  const WireJson* value = required(key);
  if (value == nullptr || value->is_array()) return value;
  refuse(key, "is no array");
  return nullptr;
}

std::string FieldReader::text_of(const WireJson& value, const char* key) {
  if (value.is_string()) return valid_utf8(value.get_ref<const std::string&>());
  refuse(key, "is no text");
  return {};
}

std::int64_t FieldReader::integer_of(const WireJson& value, const char* key, std::int64_t least,
                                     std::int64_t most) {
  if (!value.is_number_integer()) {
    refuse(key, "is no whole number");
    return 0;
  }
  const bool fits = !value.is_number_unsigned() ||
                    value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMost);
  const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
  if (fits && least <= number && number <= most) return number;
  refuse(key, fmt::format("is {}, not from {} to {}", value.dump(), least, most));
  return 0;
}

std::string FieldReader::text(const char* key) {
  const WireJson* value = required(key);
  return value == nullptr ? std::string() : text_of(*value, key);
}

std::int64_t FieldReader::integer(const char* key, std::int64_t least, std::int64_t most) {
  const WireJson* value = required(key);
  return value == nullptr ? 0 : integer_of(*value, key, least, most);
}

std::uint64_t FieldReader::size(const char* key) {
  const WireJson* value = required(key);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  return static_cast<std::uint64_t>(integer_of(*value, key, 0, kMost));
}

double FieldReader::real(const char* key) {
  const WireJson* value = required(key);
  if (value == nullptr) return 0;
  if (value->is_number() && std::isfinite(value->get<double>())) return value->get<double>();
  refuse(key, "is no finite number");
  return 0;
}

bool FieldReader::flag(const char* key) {
  const WireJson* value = required(key);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  refuse(key, "is neither true nor false");
  return false;
}

std::vector<std::string> FieldReader::texts(const char* key) {
  std::vector<std::string> texts;
  const WireJson* list = array(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    texts.push_back(text_of((*list)[i], key));
  return texts;
}

std::span<const std::uint8_t> FieldReader::bytes(const char* key, std::size_t count,
                                                 std::size_t each) {
  const WireJson* value = required(key);
  if (value == nullptr) return {};
  if (!value->is_binary()) {
    refuse(key, "is no byte string");
    return {};
  }
  const WireJson::binary_t& bytes = value->get_binary();
  if (bytes.size() % each == 0 && bytes.size() / each == count) return {bytes.data(), bytes.size()};
  refuse(key, fmt::format("has {} bytes, not {} of {}", bytes.size(), count, each));
  return {};
}

std::string FieldReader::optional_text(const char* key) {
  return find(key) == nullptr ? std::string() : text(key);
}

bool FieldReader::optional_flag(const char* key) {
  return find(key) != nullptr && flag(key);
}

std::optional<std::int64_t> FieldReader::optional_integer(const char* key, std::int64_t least,
                                                          std::int64_t most) {
  return find(key) == nullptr ? std::nullopt : std::optional(integer(key, least, most));
}

std::optional<std::uint64_t> FieldReader::optional_size(const char* key) {
  return find(key) == nullptr ? std::nullopt : std::optional(size(key));
}

std::optional<double> FieldReader::optional_real(const char* key) {
  return find(key) == nullptr ? std::nullopt : std::optional(real(key));
}

std::vector<std::string> FieldReader::optional_texts(const char* key) {
  return find(key) == nullptr ? std::vector<std::string>() : texts(key);
}

WireJson finite_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? WireJson(*value) : WireJson(nullptr);
}

}  // namespace quintet

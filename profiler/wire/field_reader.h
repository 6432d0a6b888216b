/// Reads the fields of a message one by one and keeps the first fault, so that callers list fields and check once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"

namespace quintet {

/// Refers to the message and, below the root, to the reader above it. After a fault everything read is empty.
///
///   FieldReader reader(json, "stop");
///   StopRequest request{reader.integer("run", 1, kMostInteger)};
///   return reader.result(std::move(request));
class FieldReader {
 public:
  static constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  FieldReader(const WireJson& json, std::string what);
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;

  // Required fields:
  std::string text(const char* key);
  std::int64_t integer(const char* key, std::int64_t least = kLeast, std::int64_t most = kMost);
  std::uint64_t size(const char* key);
  double real(const char* key);  ///< finite
  bool flag(const char* key);
  std::vector<std::string> texts(const char* key);
  template <class Integer>
  Integer small(const char* key, std::int64_t least = std::numeric_limits<Integer>::min()) {
    return static_cast<Integer>(integer(key, least, std::numeric_limits<Integer>::max()));
  }
  /// The value among `values` that name_of calls so.
  template <class Values>
  auto word(const char* key, const Values& values) {
    const std::string name = text(key);
    for (const auto value : values) {
      if (name_of(value) == name) return value;
    }
    refuse(key, fmt::format("is \"{}\"", name));
    return *std::begin(values);
  }
  /// A byte string of `count` numbers, little-endian.
  template <class Number>
  std::vector<Number> column(const char* key, std::size_t count) {
    const std::span<const std::uint8_t> bytes = this->bytes(key, count, sizeof(Number));
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

  // Fields that may be missing or null:
  std::string optional_text(const char* key);
  bool optional_flag(const char* key);
  std::optional<std::int64_t> optional_integer(const char* key, std::int64_t least = kLeast,
                                               std::int64_t most = kMost);
  std::optional<std::uint64_t> optional_size(const char* key);
  std::optional<double> optional_real(const char* key);
  std::vector<std::string> optional_texts(const char* key);
  /// Null where it is missing.
  [[nodiscard]] const WireJson* find(const char* key) const;

  /// Calls `each(reader)` for every object of a required array.
  template <class Each>
  void objects(const char* key, Each each) {
    const WireJson* list = array(key);
    for (std::size_t i = 0; list != nullptr && i < list->size() && fine(); ++i) {
      FieldReader reader((*list)[i], fmt::format("{}[{}]", key, i), this);
      each(reader);
    }
  }
  /// Calls `read(reader)` for a required object.
  template <class Read>
  void object(const char* key, Read read) {
    if (const WireJson* inner = required(key); inner != nullptr) {
      FieldReader reader(*inner, key, this);
      read(reader);
    }
  }

  void refuse(const char* key, const std::string& why);
  [[nodiscard]] bool fine() const { return !root().fault_; }
  template <class T>
  Result<std::decay_t<T>> result(T&& value) const {
    if (const auto& fault = root().fault_) return tl::unexpected(*fault);
    return std::forward<T>(value);
  }

 private:
  FieldReader(const WireJson& json, std::string what, FieldReader* above);
  [[nodiscard]] const FieldReader& root() const {
    return above_ == nullptr ? *this : above_->root();
  }
  FieldReader& root() { return above_ == nullptr ? *this : above_->root(); }
  [[nodiscard]] std::string path() const;
  const WireJson* required(const char* key);
  const WireJson* array(const char* key);
  std::span<const std::uint8_t> bytes(const char* key, std::size_t count, std::size_t each);
  std::string text_of(const WireJson& value, const char* key);
  std::int64_t integer_of(const WireJson& value, const char* key, std::int64_t least,
                          std::int64_t most);

  const WireJson& json_;
  std::string what_;
  FieldReader* above_ = nullptr;
  std::optional<Error> fault_;  ///< of the root
};

/// The numbers as a byte string, little-endian.
template <class Number>
WireJson column_json(const std::vector<Number>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(Number));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return WireJson::binary(std::move(bytes));
}

/// The value, or null.
template <class T>
WireJson or_null(const std::optional<T>& value) {
  return value ? WireJson(*value) : WireJson(nullptr);
}

/// The number, or null where there is none or it is not finite: what a reader would refuse.
WireJson finite_or_null(const std::optional<double>& value);

}  // namespace quintet

/// TOML files read strictly: every value with its line, every key asked for by name, and what
/// nobody asked for is an error. Policies and scenarios are read through this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

/// A value and the line it stands on.
template <class T>
struct Located {
  T value{};
  int line = 0;
};

/// A key of a table and its value where that is text, as in `RELU_FP32_FWD = "COMP_3"`.
struct TextEntry {
  std::string key;
  std::string value;
  int line = 0;
};

/// The bounds of a number, both included.
template <class T>
struct Bounds {
  T lowest;
  T highest;
};

struct TomlValue;

/// Keeps the error that stands highest in the file: later ones often follow from it. A missing key
/// counts only where nothing else is wrong, since a misspelt key is also a missing one.
class TomlErrors {
 public:
  explicit TomlErrors(std::string file) : file_(std::move(file)) {}
  void add(int line, std::string message, std::string cure = {});
  void add_missing(int line, std::string message, std::string cure);
  [[nodiscard]] const std::optional<Error>& first() const { return first_ ? first_ : missing_; }

 private:
  std::string file_;
  std::optional<Error> first_;
  std::optional<Error> missing_;
};

/// One table of a document. A getter marks its key as known and gives nothing where the key is
/// missing or where its value is wrong (which it reports); `finish` reports the keys that no getter
/// asked for. Owns nothing: lives as long as its document and errors. Threads: one. Does not throw.
///   TomlSection data = root.section("data");  auto seed = data.integer("seed", {0, 99});
///   data.finish();
class TomlSection {
 public:
  /// False where the file has no such table; getters then give nothing.
  [[nodiscard]] bool present() const { return table_ != nullptr; }
  /// The line of the table's header, 0 for the top table; of a missing table, its parent's.
  [[nodiscard]] int line() const { return line_; }

  std::optional<Located<std::string>> text(std::string_view key);
  std::optional<Located<bool>> flag(std::string_view key);
  std::optional<Located<std::int64_t>> integer(std::string_view key, Bounds<std::int64_t> bounds);
  /// Also takes an integer. NaN and infinity are never within bounds.
  std::optional<Located<double>> number(std::string_view key, Bounds<double> bounds);
  /// The index in `names` of the text; another text is an error with the nearest name.
  std::optional<Located<std::size_t>> choice(std::string_view key,
                                             std::span<const std::string_view> names);
  /// An array of texts.
  std::vector<Located<std::string>> texts(std::string_view key);
  /// An array of integers.
  std::vector<Located<std::int64_t>> integers(std::string_view key, Bounds<std::int64_t> bounds);
  /// Every key of this table, in the order of the file; all values must be text.
  std::vector<TextEntry> text_entries();
  /// Every key of this table with an integer value, in the order of the file.
  std::vector<std::pair<std::string, Located<std::int64_t>>> integer_entries(
      Bounds<std::int64_t> bounds);
  TomlSection section(std::string_view key);
  /// An array of tables ([[key]]).
  std::vector<TomlSection> sections(std::string_view key);

  /// Reports `key` as missing. For a key that must be there and gave nothing.
  void require(std::string_view key, bool given, std::string_view example);
  /// Reports every key that was not asked for, with the nearest that was.
  void finish();

 private:
  friend class TomlDocument;
  TomlSection(const TomlValue* table, std::string name, int line, TomlErrors& errors);
  const TomlValue* find(std::string_view key);
  const TomlValue* expect(std::string_view key, std::size_t type, std::string_view wanted);
  [[nodiscard]] std::string path(std::string_view key) const;

  const TomlValue* table_ = nullptr;
  std::string name_;
  int line_ = 0;
  TomlErrors* errors_ = nullptr;
  std::vector<std::string> asked_;
};

/// A parsed file. Owns all values.
class TomlDocument {
 public:
  /// Errors: not TOML, with the line where that shows.
  static Result<TomlDocument> parse(std::string_view text, const std::string& file);
  TomlDocument(TomlDocument&&) noexcept;
  TomlDocument& operator=(TomlDocument&&) noexcept;
  TomlDocument(const TomlDocument&) = delete;
  TomlDocument& operator=(const TomlDocument&) = delete;
  ~TomlDocument();

  /// The top table; errors are reported to `errors`.
  [[nodiscard]] TomlSection root(TomlErrors& errors) const;

 private:
  explicit TomlDocument(std::unique_ptr<TomlValue> root);
  std::unique_ptr<TomlValue> root_;
};

/// A whole text file. Errors: missing, not readable, not a file; `what` names it ("policy file").
Result<std::string> read_text_file(const std::string& path, std::string_view what);

/// `text` as a TOML string, with quotes and escapes.
std::string toml_quoted(std::string_view text);

}  // namespace quintet

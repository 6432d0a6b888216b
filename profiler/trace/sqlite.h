/// Thin RAII over SQLite: an open database, a prepared statement, a transaction, an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace quintet {

/// Why a call failed, as far as callers tell failures apart.
enum class SqliteFailure : std::uint8_t {
  disk_full,  ///< no more bytes could be written: disk, quota or file-size limit
  no_database,
  busy,
  cannot_open,
  input_output,
  out_of_memory,
  other,  ///< damage, a missing table, ...
};

/// What SQLite reported, with the operating system's reason where there was one.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(sqlite3* database, int code, std::string_view doing);
  [[nodiscard]] SqliteFailure failure() const;
  /// errno of the failed system call; 0 = none.
  [[nodiscard]] int system_error() const { return system_error_; }

 private:
  int code_;
  int system_error_;
};

/// What a value of a row is: columns of other programs hold what they like.
enum class ValueType : std::uint8_t { integer, real, text, blob, null };

class Database;

/// A prepared statement. Columns count from 0, parameters from 1. Blobs are bound without a copy:
/// they must live until the statement has run. Throws SqliteError.
class Statement {
 public:
  /// Binds all parameters in order, runs to the end, and is ready to run again. Integers, floating
  /// point (NaN and infinities become NULL), text, optionals (nothing becomes NULL), vectors of
  /// plain numbers (blobs).
  template <class... Values>
  void run(const Values&... values) {
    bind_all(values...);
    while (step()) {
    }
    reset();
  }
  template <class... Values>
  void bind_all(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
  }
  /// The next row, or false at the end.
  bool step();
  void reset();

  [[nodiscard]] int columns() const;
  [[nodiscard]] bool is_null(int column) const;
  /// As stored: to be asked before the value is taken as another type.
  [[nodiscard]] ValueType type(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  /// Always valid UTF-8: a byte that is none becomes U+FFFD.
  [[nodiscard]] std::string text(int column) const;
  /// Of text, its bytes as stored. Valid until the next step.
  [[nodiscard]] std::span<const std::byte> blob(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  Statement(sqlite3* database, std::string_view sql);

  template <class T>
  struct IsOptional : std::false_type {};
  template <class T>
  struct IsOptional<std::optional<T>> : std::true_type {};

  template <class T>
  void bind(int index, const T& value) {
    if constexpr (std::is_integral_v<T>) {
      bind_integer(index, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      bind_real(index, static_cast<double>(value));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      bind_text(index, value);
    } else if constexpr (IsOptional<T>::value) {
      if (value) {
        bind(index, *value);
      } else {
        bind_null(index);
      }
    } else {
      bind_blob(index, std::as_bytes(std::span(value)));
    }
  }
  void bind_null(int index);
  void bind_integer(int index, std::int64_t value);
  void bind_real(int index, double value);
  void bind_text(int index, std::string_view value);
  void bind_blob(int index, std::span<const std::byte> value);
  void check(int code, std::string_view doing) const;

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Owns an open database; one thread at a time. Waits up to five seconds for locks. Throws
/// SqliteError.
class Database {
 public:
  enum class Mode : std::uint8_t { read_only, read_write, create };

  Database(const std::string& path, Mode mode);
  /// A read-only database in memory: the bytes of a whole file. Of one in WAL mode nothing can be
  /// read.
  explicit Database(std::vector<std::byte> image);

  /// Runs statements that return nothing of interest.
  void execute(const std::string& sql);
  [[nodiscard]] Statement prepare(std::string_view sql);
  /// First column of the first row; 0 or "" where there is no row.
  std::int64_t integer(std::string_view sql);
  std::string text(std::string_view sql);
  /// True outside transactions; a failed statement may have ended one.
  [[nodiscard]] bool autocommit() const;
  /// Replaces the whole content of `target` by this database's, as of one moment.
  void backup_to(Database& target);
  /// The bytes of the file that holds this database. Throws std::bad_alloc, too.
  [[nodiscard]] std::vector<std::byte> image();

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };
  std::vector<std::byte> image_;  ///< what an opened database in memory reads from
  std::unique_ptr<sqlite3, Close> database_;
};

/// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind : std::uint8_t { read, write };

  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace quintet

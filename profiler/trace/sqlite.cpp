#include "profiler/trace/sqlite.h"

#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <new>
#include <sqlite3.h>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

constexpr int kBusyTimeoutMs = 5000;

std::string describe(sqlite3* database, int code, std::string_view doing) {
  const bool known = database != nullptr && sqlite3_extended_errcode(database) == code;
  return fmt::format("{}: {}", doing, known ? sqlite3_errmsg(database) : sqlite3_errstr(code));
}

/// SQLite keeps errno of most failed calls, but not of those in a commit: then errno itself, which
/// callers clear before.
int system_error_of(sqlite3* database) {
  const int now = errno;
  const int kept = database != nullptr ? sqlite3_system_errno(database) : 0;
  return kept != 0 ? kept : now;
}

bool out_of_space(int system_error) {
  return system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

}  // namespace

SqliteError::SqliteError(sqlite3* database, int code, std::string_view doing)
    : std::runtime_error(describe(database, code, doing)),
      code_(code),
      system_error_(system_error_of(database)) {}

SqliteFailure SqliteError::failure() const {
  switch (code_ & 0xff) {
    case SQLITE_FULL:
      return SqliteFailure::disk_full;
    case SQLITE_IOERR:
      return out_of_space(system_error_) ? SqliteFailure::disk_full : SqliteFailure::input_output;
    case SQLITE_NOTADB:
      return SqliteFailure::no_database;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return SqliteFailure::busy;
    case SQLITE_CANTOPEN:  // of a journal, too, where a full disk has no room for its name
      return out_of_space(system_error_) ? SqliteFailure::disk_full : SqliteFailure::cannot_open;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return SqliteFailure::cannot_open;
    case SQLITE_NOMEM:
      return SqliteFailure::out_of_memory;
    default:
      return SqliteFailure::other;
  }
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);  // repeats the error of the last step: already reported
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  check(code, "cannot prepare");
}

void Statement::check(int code, std::string_view doing) const {
  if (code != SQLITE_OK) throw SqliteError(database_, code, doing);
}

bool Statement::step() {
  errno = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  SqliteError error(database_, code, "cannot run");
  sqlite3_reset(statement_.get());  // lets go of the locks; repeats the same error
  throw error;
}

void Statement::reset() {
  check(sqlite3_reset(statement_.get()), "cannot reset");
}

int Statement::columns() const {
  return sqlite3_column_count(statement_.get());
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

ValueType Statement::type(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return ValueType::integer;
    case SQLITE_FLOAT:
      return ValueType::real;
    case SQLITE_TEXT:
      return ValueType::text;
    case SQLITE_BLOB:
      return ValueType::blob;
    default:
      return ValueType::null;
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return valid_utf8({reinterpret_cast<const char*>(text), size});
}

std::span<const std::byte> Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const std::byte*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Statement::bind_null(int index) {
  check(sqlite3_bind_null(statement_.get(), index), "cannot bind");
}

void Statement::bind_integer(int index, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), index, value), "cannot bind");
}

void Statement::bind_real(int index, double value) {
  if (!std::isfinite(value)) return bind_null(index);
  check(sqlite3_bind_double(statement_.get(), index, value), "cannot bind");
}

void Statement::bind_text(int index, std::string_view value) {
  const char* data = value.data() != nullptr ? value.data() : "";
  check(sqlite3_bind_text64(statement_.get(), index, data, value.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8),
        "cannot bind");
}

void Statement::bind_blob(int index, std::span<const std::byte> value) {
  const int code = value.empty() ? sqlite3_bind_zeroblob(statement_.get(), index, 0)
                                 : sqlite3_bind_blob64(statement_.get(), index, value.data(),
                                                       value.size(), SQLITE_STATIC);
  check(code, "cannot bind");
}

void Database::Close::operator()(sqlite3* database) const noexcept {
  sqlite3_close_v2(database);
}

Database::Database(const std::string& path, Mode mode) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case Mode::read_only:
      flags |= SQLITE_OPEN_READONLY;
      break;
    case Mode::read_write:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case Mode::create:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
  }
  sqlite3* database = nullptr;
  errno = 0;
  const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) throw SqliteError(database, code, "cannot open");
  sqlite3_busy_timeout(database, kBusyTimeoutMs);
  // The schema of a file somebody hands us is data, not code to trust.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

Database::Database(std::vector<std::byte> image) : Database(":memory:", Mode::read_write) {
  image_ = std::move(image);
  auto* bytes = reinterpret_cast<unsigned char*>(image_.data());
  const auto size = static_cast<sqlite3_int64>(image_.size());
  const int code =
      sqlite3_deserialize(database_.get(), "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY);
  if (code != SQLITE_OK) throw SqliteError(database_.get(), code, "cannot open");
}

std::vector<std::byte> Database::image() {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
      sqlite3_serialize(database_.get(), "main", &size, 0), &sqlite3_free);
  if (!bytes) throw std::bad_alloc();
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.get());
  return {begin, begin + size};
}

void Database::execute(const std::string& sql) {
  errno = 0;
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw SqliteError(database_.get(), code, "cannot run");
}

Statement Database::prepare(std::string_view sql) {
  return {database_.get(), sql};
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(std::string_view sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.text(0) : std::string();
}

bool Database::autocommit() const {
  return sqlite3_get_autocommit(database_.get()) != 0;
}

void Database::backup_to(Database& target) {
  sqlite3_backup* backup =
      sqlite3_backup_init(target.database_.get(), "main", database_.get(), "main");
  if (backup == nullptr) {
    throw SqliteError(target.database_.get(), sqlite3_extended_errcode(target.database_.get()),
                      "cannot copy");
  }
  // One call for all pages: a snapshot, where page by page would start anew at each commit of the
  // writer.
  errno = 0;
  const int code = sqlite3_backup_step(backup, -1);
  const int finished = sqlite3_backup_finish(backup);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    throw SqliteError(database_.get(), code, "cannot copy");
  }
  if (finished != SQLITE_OK) throw SqliteError(target.database_.get(), finished, "cannot copy");
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.execute(kind == Kind::read ? "BEGIN" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_ || database_.autocommit()) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const SqliteError&) {
    // The failure that brought us here has been reported; SQLite rolls back at the next open.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace quintet

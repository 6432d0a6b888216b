// Damaged recordings: never a crash, never a trace that contradicts itself. The first byte says what
// the rest is: a whole file; bytes to put into a small recording; values to put into its tables.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/fuzz/byte_script.h"
#include "tests/fuzz/trace_check.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;

struct TableColumns {
  std::string table;
  std::vector<std::string> columns;
};

/// A folder in memory with a small recording, whole at first.
class RecordingFolder {
 public:
  RecordingFolder() {
    std::string pattern = "/dev/shm/quintet-fuzz-XXXXXX";
    require(mkdtemp(pattern.data()) != nullptr, "there is room in /dev/shm");
    folder_ = pattern;
    auto writer = TraceWriter::create(path());
    require(writer && (*writer)->write_static(sample_plan()), "a recording can be begun");
    for (std::int64_t step = 0; step < 4; ++step)
      require((*writer)->append_batch(sample_step(step)), "a step can be stored");
    require((*writer)->finish().has_value(), "a recording can be finished");
    shrink();
    std::ifstream file(path(), std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(file), {});
    require(read_trace(path()).has_value(), "it can be read");
  }
  ~RecordingFolder() {
    std::error_code none;
    fs::remove_all(folder_, none);
  }
  RecordingFolder(const RecordingFolder&) = delete;
  RecordingFolder& operator=(const RecordingFolder&) = delete;

  [[nodiscard]] std::string path() const { return folder_ + "/run.qtrace"; }
  [[nodiscard]] const std::string& whole() const { return whole_; }

  void write(const std::string& bytes) const {
    std::error_code none;
    for (const char* side : {"-wal", "-shm", "-journal"})
      fs::remove(path() + side, none);
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  }

  /// The recording with values of the script's choice in its tables.
  void edit(ByteScript& script) const {
    write(whole_);
    Database database(path(), Database::Mode::read_write);
    database.execute("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON");
    while (!script.done()) {
      const TableColumns& table = tables_[script.below(tables_.size())];
      const std::string& column = table.columns[script.below(table.columns.size())];
      const std::string value =
          script.below(4) == 0 ? patched_blob(column, script) : script.literal();
      const std::string rows =
          script.below(2) == 0 ? "" : fmt::format(" WHERE rowid = {}", script.below(6));
      try {
        database.execute(script.below(16) == 0 ? fmt::format("DELETE FROM {}{}", table.table, rows)
                                               : fmt::format("UPDATE {} SET {} = {}{}", table.table,
                                                             column, value, rows));
      } catch (const SqliteError&) {
        // Of another type, or a key that is there already.
      }
    }
  }

 private:
  /// The column with a few of its bytes replaced.
  static std::string patched_blob(const std::string& column, ByteScript& script) {
    const std::size_t at = script.below(48);
    return fmt::format("CAST(substr({0}, 1, {1}) || {2} || substr({0}, {3}) AS BLOB)", column, at,
                       script.blob(), at + 1 + script.below(12));
  }

  /// Small pages make a small file: the fuzzer's bytes hit more of what matters.
  void shrink() {
    Database database(path(), Database::Mode::read_write);
    database.execute("PRAGMA page_size = 512; VACUUM");
    Statement table = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'");
    while (table.step()) {
      TableColumns columns{table.text(0), {}};
      Statement column = database.prepare("SELECT name FROM pragma_table_info(?)");
      column.bind_all(columns.table);
      while (column.step())
        columns.columns.push_back(column.text(0));
      tables_.push_back(std::move(columns));
    }
  }

  std::string folder_;
  std::string whole_;
  std::vector<TableColumns> tables_;
};

std::string with_other_bytes(std::string bytes, ByteScript& script) {
  while (!script.done()) {
    const std::size_t at = script.number(2) % bytes.size();
    bytes[at] = static_cast<char>(script.byte());
  }
  return bytes;
}

}  // namespace
}  // namespace quintet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quintet;
  static const RecordingFolder folder;
  if (size == 0) return 0;
  ByteScript script({data + 1, size - 1});
  switch (data[0] % 3) {
    case 0:
      folder.write({reinterpret_cast<const char*>(data + 1), size - 1});
      break;
    case 1:
      folder.write(with_other_bytes(folder.whole(), script));
      break;
    default:
      folder.edit(script);
      break;
  }
  const Result<Trace> trace = read_trace(folder.path());
  if (trace) {
    require_consistent(*trace);
  } else {
    require(!trace.error().message.empty(), "errors say what is wrong");
  }
  if (const auto head = read_head(folder.path()); !head)
    require(!head.error().message.empty(), "errors say what is wrong");
  return 0;
}

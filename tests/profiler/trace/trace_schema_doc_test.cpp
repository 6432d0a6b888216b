#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "profiler/trace/schema.h"
#include "profiler/trace/sqlite.h"

namespace quintet {
namespace {

std::string readme() {
  std::ifstream file(std::string(QUINTET_SOURCE_DIR) + "/profiler/trace/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The part of the text that documents a table: from its heading to the next.
std::string section_of(const std::string& text, const std::string& table) {
  const std::size_t begin = text.find("### `" + table + "`");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find("\n### ", begin + 1) - begin);
}

TEST(SchemaDocument, NamesEveryTableAndColumn) {
  Database database(":memory:", Database::Mode::create);
  database.execute(schema_sql());
  EXPECT_EQ(database.integer("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(database.integer("PRAGMA application_id"), kRecordingId);
  const std::string text = readme();
  EXPECT_NE(text.find("schema version " + std::to_string(kSchemaVersion)), std::string::npos);
  Statement column = database.prepare(
      "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c "
      "WHERE t.type = 'table' ORDER BY t.name, c.cid");
  int columns = 0;
  std::string missing;
  while (column.step()) {
    ++columns;
    if (section_of(text, column.text(0)).find("`" + column.text(1) + "`") == std::string::npos) {
      missing += " " + column.text(0) + "." + column.text(1);
    }
  }
  EXPECT_EQ(missing, "");
  EXPECT_GT(columns, 100);
}

}  // namespace
}  // namespace quintet

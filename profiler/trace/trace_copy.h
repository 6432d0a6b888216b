/// Copies of recordings: as one file, and as plain rows for other programs.
#pragma once

#include <string>

#include "runtime/model/result.h"

namespace quintet {

/// Copies a recording, live ones included, as of one moment, into one file that needs nothing
/// beside it. The copy of one that still grows says `abandoned`: it will not grow. An old recording
/// at `to` is replaced in one rename.
Result<void> copy_trace(const std::string& from, const std::string& to);
/// The same tables in a plain SQLite file, with the spans as rows of a table `spans` in place of
/// span_batches: for sqlite3 and pandas.
Result<void> export_sql(const std::string& from, const std::string& to);

}  // namespace quintet

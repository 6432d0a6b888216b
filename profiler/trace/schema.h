/// The tables of a .qtrace file, which README.md of this folder documents one by one.
#pragma once

#include <cstdint>

namespace quintet {

/// Stored as SQLite's user_version; a reader reads exactly this one.
inline constexpr int kSchemaVersion = 2;
/// SQLite's application_id of recordings ("QTRC") and of their plain-row exports ("QTSQ").
inline constexpr std::int64_t kRecordingId = 0x51545243;
inline constexpr std::int64_t kExportId = 0x51545351;

/// Creates every table of a recording, and sets both ids.
const char* schema_sql();

}  // namespace quintet

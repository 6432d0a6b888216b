/// What the top level of a Chrome trace tells beside its events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/import/json_cursor.h"
#include "profiler/import/own_document.h"

namespace quintet {

struct ChromeHeader {
  std::optional<std::int64_t> base_ns;  ///< `baseTimeNanoseconds`: added to every time
  std::optional<std::int64_t> rank;     ///< of `distributedInfo`
  std::string device_name;              ///< of the first of `deviceProperties`
  std::optional<std::uint64_t> multiprocessors;
  OwnDocument own;                 ///< of `quintet`
  std::int64_t lost_records = 0;   ///< messages of the profiler that report lost records
  std::string first_lost_records;  ///< the first of them
};

/// Reads the value of one key of the top level.
JsonStatus read_header(JsonCursor& cursor, std::string_view key, ChromeHeader& header);

/// A stretch of text that is searched for where to go on behind damage.
struct DamagedText {
  char before = '\0';  ///< the last character in front of `first` that is no blank
  const char* first = nullptr;
  const char* from = nullptr;  ///< the search begins here
  const char* end = nullptr;
};

/// The next place where an event seems to begin; `end` where none does.
const char* find_event(const DamagedText& text);

/// The next key of the top level that an import needs, or event; `end` where there is none.
const char* find_header_key(const DamagedText& text);

/// How much text before the end find_event and find_header_key cannot judge: read on, keep it.
inline constexpr std::size_t kLookAhead = 64;

/// The rank that a file's name reports as a word of its own: of "rank3.json", "run_rank-3.sqlite";
/// any other number of a name says nothing.
std::optional<int> rank_of_file_name(std::string_view path);

}  // namespace quintet

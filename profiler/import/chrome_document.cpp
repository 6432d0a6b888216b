#include "profiler/import/chrome_document.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

#include "profiler/import/chrome_event.h"
#include "profiler/import/decimal_time.h"
#include "profiler/import/dropped_records.h"
#include "profiler/import/json_text.h"

namespace quintet {

namespace {

constexpr int kHighestRank = 1'000'000;

JsonStatus read_rank(JsonCursor& cursor, ChromeHeader& header) {
  if (cursor.peek() != '{') return cursor.skip_value();
  return cursor.object([&](std::string_view key) {
    if (key != "rank") return cursor.skip_value();
    std::string_view text;
    const JsonStatus status = read_number(cursor, text);
    const auto rank = signed_from(text);
    if (rank && *rank >= 0 && *rank <= kHighestRank) header.rank = rank;
    return status;
  });
}

JsonStatus read_device(JsonCursor& cursor, ChromeHeader& header) {
  return cursor.object([&](std::string_view key) {
    std::string_view text;
    if (key == "name" && cursor.peek() == '"') {
      JsonString name;
      const JsonStatus status = cursor.string(name);
      std::string scratch;
      if (status == JsonStatus::ok) header.device_name = text_of(name, scratch);
      return status;
    }
    if (key == "numSms") {
      const JsonStatus status = read_number(cursor, text);
      header.multiprocessors = unsigned_from(text);
      return status;
    }
    return cursor.skip_value();
  });
}

/// The first of the devices; the others differ in nothing that an import keeps.
JsonStatus read_devices(JsonCursor& cursor, ChromeHeader& header) {
  JsonCursor first = cursor;
  if (const JsonStatus status = cursor.skip_value(); status != JsonStatus::ok) return status;
  if (first.peek() != '[') return JsonStatus::ok;
  first.advance();
  if (!first.skip_space() || first.peek() != '{') return JsonStatus::ok;
  return read_device(first, header);
}

JsonStatus read_message(JsonCursor& cursor, ChromeHeader& header) {
  if (cursor.peek() != '"') return cursor.skip_value();
  JsonString message;
  const JsonStatus status = cursor.string(message);
  if (status != JsonStatus::ok) return status;
  std::string scratch;
  const std::string_view text = text_of(message, scratch);
  if (!reports_dropped_records(text)) return status;
  constexpr std::size_t kMostBytes = 200;
  if (header.lost_records++ == 0) header.first_lost_records = text.substr(0, kMostBytes);
  return status;
}

/// What Kineto logged while it recorded: a list of messages.
JsonStatus read_messages(JsonCursor& cursor, ChromeHeader& header) {
  if (cursor.peek() != '[') return read_message(cursor, header);
  // Whole or not at all: where the text ends inside it, it is read again.
  ChromeHeader read = header;
  cursor.advance();
  for (;;) {
    if (!cursor.skip_space()) return JsonStatus::incomplete;
    if (cursor.peek() == ']') break;
    if (const JsonStatus status = read_message(cursor, read); status != JsonStatus::ok)
      return status;
    if (!cursor.skip_space()) return JsonStatus::incomplete;
    if (cursor.peek() == ']') break;
    if (cursor.peek() != ',') return JsonStatus::malformed;
    cursor.advance();
  }
  cursor.advance();
  header = std::move(read);
  return JsonStatus::ok;
}

bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_separator(char c) {
  return c == '_' || c == '-' || c == '.';
}

constexpr auto kEventKeys =
    std::to_array<std::string_view>({"ph\"", "name\"", "cat\"", "pid\"", "tid\"", "ts\"", "dur\"",
                                     "id\"", "args\"", "bp\"", "s\""});

constexpr auto kHeaderKeys = std::to_array<std::string_view>(
    {"traceEvents\"", "baseTimeNanoseconds\"", "distributedInfo\"", "deviceProperties\"",
     "quintet\"", "quintetUntimed\"", "quintetSteps\""});

/// More blanks than that between a brace and a key are no event's: with its key it must fit into
/// kLookAhead.
constexpr std::ptrdiff_t kMostBlanks = 32;

/// Where a brace opens an event. `args` too begin with a brace and may have a "name", but a colon
/// stands before them.
bool begins_event(const DamagedText& text, const char* brace) {
  const char* at = brace + 1;
  while (at < text.end && is_blank(*at) && at - brace <= kMostBlanks)
    ++at;
  if (at == text.end || *at != '"') return false;
  ++at;
  const std::string_view rest(at, static_cast<std::size_t>(text.end - at));
  const bool known = std::any_of(kEventKeys.begin(), kEventKeys.end(),
                                 [&](std::string_view key) { return rest.starts_with(key); });
  if (!known) return false;
  const char* before = brace;
  while (before > text.first && is_blank(before[-1]))
    --before;
  const char c = before == text.first ? text.before : before[-1];
  if (c == ':') return false;
  return c == ',' || c == '[' || c == '}' || rest.starts_with("ph\"");
}

}  // namespace

JsonStatus read_header(JsonCursor& cursor, std::string_view key, ChromeHeader& header) {
  if (key == "distributedInfo") return read_rank(cursor, header);
  if (key == "deviceProperties") return read_devices(cursor, header);
  if (key == "quintet") return read_own_document(cursor, header.own);
  if (key == "WARNING" || key == "ERROR") return read_messages(cursor, header);
  if (key != "baseTimeNanoseconds") return cursor.skip_value();
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  if (status == JsonStatus::ok) header.base_ns = signed_from(text);
  return status;
}

const char* find_event(const DamagedText& text) {
  for (const char* from = text.from; from < text.end; ++from) {
    const void* brace = std::memchr(from, '{', static_cast<std::size_t>(text.end - from));
    if (brace == nullptr) return text.end;
    from = static_cast<const char*>(brace);
    if (begins_event(text, from)) return from;
  }
  return text.end;
}

const char* find_header_key(const DamagedText& text) {
  const char* event = find_event(text);
  for (const char* at = text.from; at < event; ++at) {
    const void* quote = std::memchr(at, '"', static_cast<std::size_t>(event - at));
    if (quote == nullptr) break;
    at = static_cast<const char*>(quote);
    const std::string_view rest(at + 1, static_cast<std::size_t>(text.end - at - 1));
    if (std::any_of(kHeaderKeys.begin(), kHeaderKeys.end(),
                    [&](std::string_view key) { return rest.starts_with(key); })) {
      return at;
    }
  }
  return event;
}

std::optional<int> rank_of_file_name(std::string_view path) {
  constexpr std::string_view kWord = "rank";
  std::string name(path.substr(path.find_last_of('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // A rank within a node, or of one kind of parallelism, is not the process' own.
  constexpr auto kOther =
      std::to_array<std::string_view>({"local", "node", "tp", "pp", "dp", "ep", "cp"});
  std::optional<int> only;
  for (std::size_t at = name.find(kWord); at != std::string::npos; at = name.find(kWord, at + 1)) {
    // Not of "frank3", nor of "rank2vec".
    if (at > 0 && is_letter(name[at - 1])) continue;
    std::size_t first = at + kWord.size();
    if (first < name.size() && is_separator(name[first])) ++first;
    const std::size_t end = std::min(name.find_first_not_of("0123456789", first), name.size());
    if (end < name.size() && !is_separator(name[end])) continue;
    const auto rank = signed_from(std::string_view(name).substr(first, end - first));
    if (!rank || *rank > kHighestRank) continue;
    std::string_view before = std::string_view(name).substr(0, at);
    if (!before.empty()) before.remove_suffix(1);
    const bool other = std::any_of(kOther.begin(), kOther.end(), [before](std::string_view word) {
      return before.ends_with(word) &&
             (before.size() == word.size() || !is_letter(before[before.size() - word.size() - 1]));
    });
    // "rank3-4" may be two.
    const bool range =
        end + 1 < name.size() && name[end] != '.' && name[end + 1] >= '0' && name[end + 1] <= '9';
    if (other || range || only) return std::nullopt;
    only = static_cast<int>(*rank);
  }
  return only;
}

}  // namespace quintet

#include "profiler/report/file_signature.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "profiler/report/perfetto_schema.h"
#include "profiler/trace/schema.h"

namespace quintet {

namespace {

using namespace std::string_view_literals;

/// The fronts of files that always begin alike.
constexpr auto kFronts = std::to_array<std::string_view>({
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"generator\" content=\"quintet "sv,
    "{\n  \"schema\": \"quintet."sv,
    kMarkdownSignature,
    kPolicySignature,
});

/// The text chunk that the viewer puts behind a picture's header, which takes 33 bytes.
constexpr std::string_view kPngMark = "tEXtSoftware\0quintet"sv;
constexpr std::size_t kPngMarkAt = 37;

/// The last member of a JSON document's own object that begins in `head` before `stop`, by key.
bool has_own_key(std::string_view head, std::string_view wanted, std::string_view stop) {
  int depth = 0;
  for (std::size_t at = 0; at < head.size(); ++at) {
    const char each = head[at];
    if (each == '{' || each == '[') ++depth;
    if (each == '}' || each == ']') --depth;
    if (each != '"') continue;
    const std::size_t begin = at + 1;
    for (++at; at < head.size() && head[at] != '"'; ++at)
      at += head[at] == '\\' ? 1 : 0;
    if (depth != 1 || at >= head.size()) continue;
    const std::string_view text = head.substr(begin, at - begin);
    const std::string_view rest = head.substr(at + 1, 3);
    if (text == wanted && rest == ": {") return true;
    if (text == stop) return false;
  }
  return false;
}

/// The one suite of a check.
bool is_junit(std::string_view head) {
  constexpr std::string_view kDeclaration =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"1\" ";
  constexpr std::string_view kSuite = "\n  <testsuite name=\"quintet check\" ";
  if (!head.starts_with(kDeclaration)) return false;
  const std::size_t line = head.find('\n', kDeclaration.size());
  return line != std::string_view::npos && head.substr(line).starts_with(kSuite);
}

bool is_chrome_trace(std::string_view head) {
  return head.starts_with('{') && has_own_key(head, "quintet", "traceEvents");
}

/// Takes fields off the front of a protobuf message.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : rest_(message) {}

  struct Field {
    std::uint64_t number = 0;
    std::string_view bytes;  ///< of numbers empty; cut short where the message is
  };
  /// Nothing at the end, and where the message is no message.
  std::optional<Field> next() {
    constexpr std::uint64_t kVarint = 0;
    constexpr std::uint64_t kBytes = 2;
    const std::optional<std::uint64_t> tag = varint();
    if (!tag) return std::nullopt;
    Field field{*tag >> 3U, {}};
    if ((*tag & 7U) == kVarint) return varint() ? std::optional(field) : std::nullopt;
    if ((*tag & 7U) != kBytes) return std::nullopt;
    const std::optional<std::uint64_t> length = varint();
    if (!length) return std::nullopt;
    field.bytes = rest_.substr(0, *length);
    rest_.remove_prefix(field.bytes.size());
    return field;
  }

 private:
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

/// The field of that number in `message`; empty where it has none.
std::string_view field_of(std::string_view message, std::uint64_t number) {
  FieldReader fields(message);
  while (const auto field = fields.next())
    if (field->number == number) return field->bytes;
  return {};
}

/// Among the first packets is that of the attributes, the first of them one of ours.
bool is_perfetto_trace(std::string_view head) {
  constexpr int kFirstPackets = 8;
  FieldReader packets(head);
  for (int packet = 0; packet < kFirstPackets; ++packet) {
    const auto each = packets.next();
    if (!each || each->number != perfetto::trace::kPacket) return false;
    const std::string_view attributes = field_of(each->bytes, perfetto::packet::kTraceAttributes);
    const std::string_view first = field_of(attributes, perfetto::attributes::kAttribute);
    if (field_of(first, perfetto::attributes::kKey).starts_with("quintet.")) return true;
  }
  return false;
}

bool is_sql_export(std::string_view head) {
  constexpr std::size_t kIdAt = 68;  // of SQLite's header, most significant byte first
  if (!head.starts_with("SQLite format 3\0"sv) || head.size() < kIdAt + 4) return false;
  std::int64_t id = 0;
  for (std::size_t byte = 0; byte < 4; ++byte)
    id = id << 8 | static_cast<unsigned char>(head[kIdAt + byte]);
  return id == kExportId;
}

}  // namespace

bool has_signature(std::string_view head) {
  const bool known = std::any_of(kFronts.begin(), kFronts.end(), [head](std::string_view front) {
    return head.starts_with(front);
  });
  if (known || is_junit(head) || is_chrome_trace(head) || is_sql_export(head)) return true;
  if (head.starts_with("\x89PNG"sv))
    return head.substr(std::min(kPngMarkAt, head.size())).starts_with(kPngMark);
  return is_perfetto_trace(head);
}

}  // namespace quintet

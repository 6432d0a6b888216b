#include "profiler/import/chrome_event.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace quintet {

namespace {

JsonStatus read_text(JsonCursor& cursor, JsonString& into) {
  into = {};
  return cursor.peek() == '"' ? cursor.string(into) : cursor.skip_value();
}

/// As read_text(), for keys that few events have: calls of it must not keep the compiler from putting
/// read_text() into the loop over all events.
[[gnu::noinline]] JsonStatus read_rare_text(JsonCursor& cursor, JsonString& into) {
  return read_text(cursor, into);
}

JsonStatus read_id(JsonCursor& cursor, ChromeId& id) {
  std::string_view text;
  const bool quoted = cursor.peek() == '"';
  if (const JsonStatus status = read_number(cursor, text); status != JsonStatus::ok) return status;
  id = {};
  id.text = text;
  if (text.empty()) {
    if (quoted) id.kind = ChromeId::Kind::text;
    return JsonStatus::ok;
  }
  const std::optional<std::int64_t> number = signed_from(text);
  id.kind = number ? ChromeId::Kind::number : ChromeId::Kind::text;
  id.number = number.value_or(0);
  return JsonStatus::ok;
}

JsonStatus read_unsigned(JsonCursor& cursor, std::optional<std::uint64_t>& into) {
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  if (status == JsonStatus::ok) into = unsigned_from(text);
  return status;
}

JsonStatus read_signed(JsonCursor& cursor, std::optional<std::int64_t>& into) {
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  if (status == JsonStatus::ok) into = signed_from(text);
  return status;
}

JsonStatus read_stream(JsonCursor& cursor, std::optional<std::int64_t>& into) {
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  if (status != JsonStatus::ok) return status;
  into = names_no_stream(text) ? -1 : signed_from(text);
  return status;
}

/// "[2, 64, 1]"; nothing unless it is three numbers that fit.
JsonStatus read_extent(JsonCursor& cursor, std::optional<std::array<std::uint32_t, 3>>& into) {
  into.reset();
  if (cursor.peek() != '[') return cursor.skip_value();
  std::array<std::uint32_t, 3> extent{};
  std::size_t count = 0;
  bool fits = true;
  const JsonStatus status = cursor.array([&] {
    std::optional<std::uint64_t> number;
    const JsonStatus read = read_unsigned(cursor, number);
    fits = fits && count < 3 && number && *number <= std::numeric_limits<std::uint32_t>::max();
    if (fits) extent[count] = static_cast<std::uint32_t>(*number);
    ++count;
    return read;
  });
  if (status == JsonStatus::ok && fits && count == 3) into = extent;
  return status;
}

JsonStatus read_details(JsonCursor& cursor, std::string_view key, XprofArgs& args) {
  using Details = XprofArgs::Details;
  const bool fill = key == "memset_details" || key == "Memset_details";
  const Details details = key == "kernel_details"   ? Details::kernel
                          : key == "memcpy_details" ? Details::copy
                          : fill                    ? Details::fill
                                                    : Details::none;
  if (details == Details::none || args.details_of == Details::kernel) return cursor.skip_value();
  args.told = true;
  args.details_of = details;
  return read_rare_text(cursor, args.details);
}

/// The value of one key of `args`. The length of a key tells nearly all of them apart.
JsonStatus read_arg(JsonCursor& cursor, std::string_view key, ChromeEvent& event) {
  ChromeEventArgs& args = event.args;
  switch (key.size()) {
    case 2:
      if (key == "op") return read_text(cursor, args.op);
      break;
    case 4:
      if (key == "lane") return read_signed(cursor, args.lane);
      if (key == "grid") return read_extent(cursor, args.grid);
      if (key == "name") return read_rare_text(cursor, args.name);
      break;
    case 5:
      if (key == "block") return read_extent(cursor, args.block);
      if (key == "bytes") return read_unsigned(cursor, args.bytes);
      break;
    case 6:
      if (key == "device") return read_signed(cursor, args.device);
      if (key == "stream") return read_stream(cursor, args.stream);
      if (key == "hlo_op") {
        event.xprof.told = true;
        return read_rare_text(cursor, event.xprof.hlo_op);
      }
      if (key == "labels") return read_rare_text(cursor, args.name);
      if (key == "dev-id") return read_signed(cursor, args.device);
      break;
    case 7:
      if (key == "channel") return read_unsigned(cursor, args.channel);
      if (key == "context") return read_signed(cursor, args.context);
      if (key == "corr_id") return read_unsigned(cursor, args.correlation);
      break;
    case 8:
      if (key == "step_num") {
        event.xprof.told = true;
        return read_signed(cursor, event.xprof.step);
      }
      break;
    case 9:
      if (key == "device_id") return read_signed(cursor, args.device);
      if (key == "stream_id" || key == "stream-id") return read_stream(cursor, args.stream);
      if (key == "num_bytes") return read_unsigned(cursor, args.bytes);
      break;
    case 10:
      if (key == "raw end ns") return read_signed(cursor, args.raw_end_ns);
      break;
    case 11:
      if (key == "policy lane") return read_signed(cursor, args.policy_lane);
      if (key == "correlation") return read_unsigned(cursor, args.correlation);
      break;
    case 12:
      if (key == "logical lane") return read_rare_text(cursor, args.logical_lane);
      if (key == "raw begin ns") return read_signed(cursor, args.raw_begin_ns);
      break;
    case 13:
      if (key == "graph node id") return read_unsigned(cursor, args.graph_node);
      if (key == "shared memory") return read_unsigned(cursor, args.shared_bytes);
      break;
    case 14:
      if (key == "correlation_id") return read_unsigned(cursor, args.correlation);
      return read_details(cursor, key, event.xprof);
    case 15:
      if (key == "captured stream") return read_signed(cursor, args.captured_stream);
      break;
    case 16:
      if (key == "captured node id") return read_unsigned(cursor, args.captured_node);
      break;
    case 20:
      if (key == "registers per thread") return read_unsigned(cursor, args.registers);
      if (key == "static shared memory") return read_unsigned(cursor, args.static_shared_bytes);
      break;
    case 21:
      if (key == "theoretical occupancy") return read_real(cursor, args.occupancy);
      break;
    default:
      break;
  }
  return cursor.skip_value();
}

JsonStatus read_args(JsonCursor& cursor, ChromeEvent& event) {
  if (cursor.peek() != '{') return cursor.skip_value();
  event.args.told = true;
  return cursor.object([&](std::string_view key) { return read_arg(cursor, key, event); });
}

/// {"local": "0x1"} or {"global": "0x1"}.
JsonStatus read_scoped_id(JsonCursor& cursor, ChromeEvent& event) {
  if (cursor.peek() != '{') return cursor.skip_value();
  return cursor.object([&](std::string_view key) {
    if (key != "local" && key != "global") return cursor.skip_value();
    event.global_id = key == "global";
    return read_id(cursor, event.id);
  });
}

JsonStatus read_phase(JsonCursor& cursor, char& phase) {
  JsonString text;
  const JsonStatus status = read_text(cursor, text);
  if (status == JsonStatus::ok) phase = text.raw.empty() ? '\0' : text.raw.front();
  return status;
}

}  // namespace

bool names_no_stream(std::string_view number) {
  return number == "-1" || number == "4294967295" || number == "18446744073709551615";
}

JsonStatus read_number(JsonCursor& cursor, std::string_view& text) {
  text = {};
  const char first = cursor.peek();
  if (first == '"') {
    JsonString string;
    const JsonStatus status = cursor.string(string);
    text = string.raw;
    return status;
  }
  if (first == '{' || first == '[') return cursor.skip_value();
  return cursor.token(text);
}

JsonStatus read_time(JsonCursor& cursor, DecimalTime& time) {
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  if (status == JsonStatus::ok) time = nanos_from_micros(text);
  return status;
}

JsonStatus read_real(JsonCursor& cursor, std::optional<double>& into) {
  std::string_view text;
  const JsonStatus status = read_number(cursor, text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (status == JsonStatus::ok && whole && std::isfinite(value)) into = value;
  return status;
}

JsonStatus read_event(JsonCursor& cursor, ChromeEvent& event) {
  // Arguments are most of an event, and many have none.
  static_cast<ChromeEventFields&>(event) = {};
  if (event.args.told) event.args = {};
  if (event.xprof.told) event.xprof = {};
  return cursor.object([&](std::string_view key) {
    if (key == "ph") return read_phase(cursor, event.phase);
    if (key == "cat") return read_text(cursor, event.category);
    if (key == "name") return read_text(cursor, event.name);
    if (key == "pid") return read_id(cursor, event.process);
    if (key == "tid") return read_id(cursor, event.thread);
    if (key == "ts") return read_time(cursor, event.begin);
    if (key == "dur") return read_time(cursor, event.duration);
    if (key == "args") return read_args(cursor, event);
    if (key == "id") return read_id(cursor, event.id);
    if (key == "id2") return read_scoped_id(cursor, event);
    if (key == "scope") return read_text(cursor, event.scope);
    return cursor.skip_value();
  });
}

}  // namespace quintet

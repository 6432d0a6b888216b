#include "tests/profiler/import/import_fixture.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <zlib.h>

namespace quintet {

std::optional<Finding> finding(const Trace& trace, std::string_view name) {
  const auto found = std::find_if(trace.findings.begin(), trace.findings.end(),
                                  [&](const Finding& each) { return each.name == name; });
  if (found == trace.findings.end()) return std::nullopt;
  return *found;
}

std::int64_t counted(const Trace& trace, std::string_view name) {
  const auto found = finding(trace, name);
  return found ? found->count : 0;
}

std::string event(std::string_view category, std::string_view name, std::string_view ts,
                  std::string_view dur, std::string_view pid, std::string_view tid,
                  std::string_view more) {
  return fmt::format(
      "{{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": {},\n"
      "    \"ts\": {}, \"dur\": {}{}{}\n  }}",
      category, name, pid, tid, ts, dur, more.empty() ? "" : ", ", more);
}

std::string kernel_event(std::string_view name, std::string_view ts, std::string_view dur,
                         int correlation) {
  return event(
      "kernel", name, ts, dur, "0", "7",
      fmt::format("\"args\": {{\"device\": 0, \"stream\": 7, \"correlation\": {}}}", correlation));
}

std::string call_event(std::string_view name, std::string_view ts, std::string_view dur,
                       int correlation) {
  return event("cuda_runtime", name, ts, dur, "474", "500",
               fmt::format("\"args\": {{\"cbid\": 211, \"correlation\": {}}}", correlation));
}

std::string document(const std::vector<std::string>& events, std::string_view header) {
  return fmt::format("{{\n  \"schemaVersion\": 1,{}\n  \"traceEvents\": [\n  {}\n  ]\n}}\n", header,
                     fmt::join(events, ",\n  "));
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string input(text);
  std::string packed(deflateBound(&stream, input.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string ImportTest::write(std::string_view text, const std::string& name) {
  const std::string path = folder_.file(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Imported ImportTest::import_all(std::string_view text, const std::string& name) {
  Result<Imported> imported = import_trace(write(text, name));
  EXPECT_TRUE(imported) << to_string(imported.error());
  return imported ? std::move(*imported) : Imported();
}

Trace ImportTest::import(std::string_view text, const std::string& name) {
  return import_all(text, name).trace;
}

Error ImportTest::import_error(std::string_view text, const std::string& name) {
  const Result<Imported> imported = import_trace(write(text, name));
  EXPECT_FALSE(imported);
  return imported ? Error() : imported.error();
}

std::string span_names(const Trace& trace) {
  std::string names;
  for (const std::uint32_t task : trace.spans.task)
    names += (names.empty() ? "" : " ") + trace.tasks[task].name;
  return names;
}

}  // namespace quintet

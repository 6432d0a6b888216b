#include "profiler/import/reader_catalog.h"

#include <array>

#include "profiler/import/chrome_json.h"
#include "profiler/import/nsys_sqlite.h"

namespace quintet {

std::span<const TraceFormat> trace_format_catalog() {
  static constexpr auto kFormats = std::to_array<TraceFormat>({
      {"chrome_json", "Chrome Trace Event JSON, as PyTorch's Kineto writes it (.json, .json.gz)",
       &looks_like_json, &read_chrome_json},
      {"nsys_sqlite", "SQLite exports of NVIDIA Nsight Systems (.sqlite)", &looks_like_sqlite,
       &read_nsys_sqlite},
  });
  return kFormats;
}

const TraceFormat* recognise(std::string_view head) {
  for (const TraceFormat& format : trace_format_catalog()) {
    if (format.recognises(head)) return &format;
  }
  return nullptr;
}

tl::unexpected<Error> cancelled_import(const std::string& path) {
  return fail("the import was cancelled", {}, path);
}

}  // namespace quintet

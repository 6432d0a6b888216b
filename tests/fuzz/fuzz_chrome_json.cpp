// Any bytes as a Chrome trace: never a crash, never a trace that contradicts itself, and the same
// trace whatever the window through which the text is read.

#include <cstdint>
#include <string>

#include "profiler/import/import.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/trace_check.h"

namespace quintet {
namespace {

void check_counts(const Imported& imported) {
  std::int64_t drawn = 0;
  for (const ImportedFile& file : imported.report.files) {
    drawn += file.drawn();
    require(file.drawn() <= file.events(), "no more is drawn than read");
    require(file.skipped_bytes <= file.text_bytes, "no more is skipped than there is");
  }
  require(imported.report.spans <= drawn, "every span comes from an event");
}

void check_same(const Result<Imported>& whole, const Result<Imported>& narrow) {
  require(whole.has_value() == narrow.has_value(), "every window reads it or none");
  if (!whole) return;
  const SpanColumns& a = whole->trace.spans;
  const SpanColumns& b = narrow->trace.spans;
  require(a.begin_ns == b.begin_ns && a.end_ns == b.end_ns && a.task == b.task &&
              a.lane == b.lane && a.correlation == b.correlation && a.activity == b.activity,
          "every window gives the same spans");
  require(import_text(whole->report) == import_text(narrow->report),
          "every window gives the same report");
}

}  // namespace
}  // namespace quintet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quintet;
  static const MemoryFile file;
  file.write({data, size});
  const Result<Imported> whole = import_trace(file.path());
  if (whole) {
    require_consistent(whole->trace);
    check_counts(*whole);
  }
  ImportOptions options;
  options.window_bytes = 16 + size % 101;
  check_same(whole, import_trace(file.path(), options));
  return 0;
}

// Any bytes as a Chrome trace: never a crash, never a trace that contradicts itself, and the same
// trace whatever the window through which the text is read.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "profiler/import/import.h"
#include "profiler/trace/span_order.h"
#include "tests/fuzz/memory_file.h"

namespace quintet {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_spans(const Trace& trace) {
  const SpanColumns& spans = trace.spans;
  const std::size_t size = spans.size();
  require(spans.end_ns.size() == size && spans.cpu_ns.size() == size && spans.task.size() == size &&
              spans.step.size() == size && spans.lane.size() == size &&
              spans.executor_lane.size() == size && spans.activity.size() == size &&
              spans.correlation.size() == size && spans.channel.size() == size,
          "columns are of one length");
  require(spans_sorted(spans), "spans are sorted");
  for (std::size_t span = 0; span < size; ++span) {
    require(0 <= spans.begin_ns[span] && spans.begin_ns[span] <= spans.end_ns[span],
            "spans end after they begin");
    require(spans.task[span] < trace.tasks.size() && spans.lane[span] < trace.lanes.size() &&
                spans.activity[span] < trace.activities.size(),
            "spans point into their tables");
  }
  for (const TraceUntimed& each : trace.untimed) {
    require(each.task < trace.tasks.size() && each.lane < trace.lanes.size() &&
                each.activity < trace.activities.size(),
            "untimed activities point into their tables");
  }
}

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
    check_spans(whole->trace);
    check_counts(*whole);
  }
  ImportOptions options;
  options.window_bytes = 16 + size % 101;
  check_same(whole, import_trace(file.path(), options));
  return 0;
}

// Writes the recording of a made-up GPU run, for the browser: write_gpu_recording FILE.qtrace

#include <cstdio>

#include "profiler/trace/trace_writer.h"
#include "tests/support/export_trace.h"

namespace quintet {
namespace {

Result<void> write_recording(const char* path) {
  Trace plan = export_trace();
  TraceBatch batch;
  batch.spans = std::move(plan.spans);
  batch.untimed = std::move(plan.untimed);
  batch.steps = std::move(plan.steps);
  batch.host_waits = std::move(plan.host_waits);
  batch.launches = std::move(plan.launches);
  auto writer = TraceWriter::create(path);
  if (!writer) return tl::unexpected(writer.error());
  if (auto begun = (*writer)->write_static(plan); !begun) return begun;
  (*writer)->append_batch(std::move(batch));
  return (*writer)->finish();
}

}  // namespace
}  // namespace quintet

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: write_gpu_recording FILE.qtrace\n", stderr);
    return 2;
  }
  const auto written = quintet::write_recording(words[1]);
  if (!written) std::fputs((to_string(written.error()) + "\n").c_str(), stderr);
  return written ? 0 : 1;
}

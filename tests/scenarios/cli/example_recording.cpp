#include "tests/scenarios/cli/example_recording.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_writer.h"

namespace quintet {

void write_example(const std::string& path, const ExampleOptions& options) {
  Trace trace = example_trace(options);
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer) << to_string(writer.error());
  TraceBatch batch;
  batch.spans = std::move(trace.spans);
  batch.steps = std::move(trace.steps);
  batch.host_waits = std::move(trace.host_waits);
  batch.launches = std::move(trace.launches);
  trace.spans = {};
  trace.steps.clear();
  trace.host_waits.clear();
  trace.launches.clear();
  ASSERT_TRUE((*writer)->write_static(trace));
  ASSERT_TRUE((*writer)->append_batch(std::move(batch)));
  ASSERT_TRUE((*writer)->finish());
}

}  // namespace quintet

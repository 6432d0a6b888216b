/// Recordings of made-up runs, for commands that read them.
#pragma once

#include <string>

#include "tests/support/example_trace.h"

namespace quintet {

/// Writes the example trace as a complete recording.
void write_example(const std::string& path, const ExampleOptions& options);

}  // namespace quintet

/// Traces that comparisons are tested on: imported kernels, and a network lowered in two ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/compare/recording_sample.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// One kernel of each step of an imported trace.
struct ImportedKernel {
  std::string name;
  std::int64_t begin_ns = 0;  ///< in its step
  std::int64_t length_ns = 0;
  std::uint64_t node = 0;  ///< of a graph; 0 = none
};

/// `steps` steps of 1000 ns on one stream, each with the kernels.
Trace imported_trace(const std::vector<ImportedKernel>& kernels, int steps = 12);

/// Ten steps of a convolution and its activation, 300 and 100 ns a step, as two tasks or as one that
/// covers both and takes `fused_ns`.
Trace lowered_trace(bool fused, std::int64_t fused_ns = 350);

/// sample_recording with its defaults.
RecordingSample sampled(const Trace& trace, const std::string& file = "run.qtrace");

}  // namespace quintet

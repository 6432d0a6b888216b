#include "scenarios/lab/mapping_reasons.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace quintet {

namespace {

constexpr std::array kOtherStreams = {StreamKind::COMP_2, StreamKind::COMP_3, StreamKind::UPDATE};
/// Differences below this are told as none, in ns.
constexpr double kNothing = 10;

}  // namespace

StepMapping with_reasons(MappedStep& step, StepMapping mapping, double step_ns) {
  mapping.reasons.assign(step.dag().size(), "fixed");
  for (std::uint32_t node = 0; node < step.dag().size(); ++node) {
    if (step.dag().node(node).fixed) continue;
    const StreamKind here = mapping.streams[node];
    const auto longer_on = [&](StreamKind stream) {
      mapping.streams[node] = stream;
      const double time = step.step_ns(mapping);
      mapping.streams[node] = here;
      return time - step_ns;
    };
    if (here != StreamKind::COMP_1) {
      const double longer = longer_on(StreamKind::COMP_1);
      mapping.reasons[node] =
          longer < kNothing
              ? "as fast as on COMP_1, with less memory or other tasks in mind"
              : fmt::format("on COMP_1 the step takes {:.2f} us longer", longer / 1e3);
      continue;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const StreamKind stream : kOtherStreams)
      least = std::min(least, longer_on(stream));
    mapping.reasons[node] =
        least < kNothing
            ? "no other stream is faster"
            : fmt::format("anywhere else the step takes {:.2f} us longer", least / 1e3);
  }
  return mapping;
}

}  // namespace quintet

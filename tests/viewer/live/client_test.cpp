#include "tests/viewer/live/client_test.h"

namespace quintet {

std::int64_t count_of(const Trace& trace, const std::string& finding) {
  for (const Finding& each : trace.findings) {
    if (each.name == finding) return each.count;
  }
  return 0;
}

}  // namespace quintet

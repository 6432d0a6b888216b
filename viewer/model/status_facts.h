/// The line at the bottom: what was measured, on what, and how far it can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/report/report.h"
#include "viewer/model/document.h"

namespace quintet::viewer {

enum class StatusTone : std::uint8_t { plain, dim, good, warn, bad };

struct StatusFact {
  std::string text;
  StatusTone tone = StatusTone::plain;
  std::string note;  ///< shown on hover
};

/// "NVIDIA H200", "measured 2026-11-30", "untraced 5.88 ms", "traced 6 ms (1.02x)", "0 dropped",
/// "race-free". `report` may be null: then what it measures is left out.
std::vector<StatusFact> status_facts(const Document& document, const Report* report);

}  // namespace quintet::viewer

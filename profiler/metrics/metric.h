/// What a metric is: a stable tag, what it means, and a value in SI units (times: integer ns) that
/// carries a hint instead of a format. Printers decide how it looks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

/// unknown = it exists but this trace cannot tell it; absent = there is nothing it could measure.
/// Neither is ever a number.
enum class MetricState : std::uint8_t { known, absent, unknown };

constexpr std::string_view name_of(MetricState state) {
  switch (state) {
    case MetricState::known:
      return "known";
    case MetricState::absent:
      return "absent";
    case MetricState::unknown:
      return "unknown";
  }
  return {};
}

enum class MetricHint : std::uint8_t {
  duration,    ///< ns
  percentage,  ///< a share, 1 = all
  factor,      ///< a ratio that may exceed 1
  rate,        ///< 1/s
  bandwidth,   ///< B/s
  flop_rate,   ///< FLOP/s
  bytes,       ///< B
  count,       ///< a number of things
};

inline constexpr std::array<MetricHint, 8> kMetricHints = {
    MetricHint::duration,  MetricHint::percentage, MetricHint::factor, MetricHint::rate,
    MetricHint::bandwidth, MetricHint::flop_rate,  MetricHint::bytes,  MetricHint::count};

constexpr std::string_view name_of(MetricHint hint) {
  switch (hint) {
    case MetricHint::duration:
      return "duration";
    case MetricHint::percentage:
      return "percentage";
    case MetricHint::factor:
      return "factor";
    case MetricHint::rate:
      return "rate";
    case MetricHint::bandwidth:
      return "bandwidth";
    case MetricHint::flop_rate:
      return "flop_rate";
    case MetricHint::bytes:
      return "bytes";
    case MetricHint::count:
      return "count";
  }
  return {};
}

constexpr std::string_view unit_of(MetricHint hint) {
  switch (hint) {
    case MetricHint::duration:
      return "ns";
    case MetricHint::percentage:
    case MetricHint::factor:
    case MetricHint::count:
      return "1";
    case MetricHint::rate:
      return "1/s";
    case MetricHint::bandwidth:
      return "B/s";
    case MetricHint::flop_rate:
      return "FLOP/s";
    case MetricHint::bytes:
      return "B";
  }
  return {};
}

/// 5 % and 95 % quantiles over the timed steps.
struct MetricSpread {
  double p05 = 0;
  double p95 = 0;
};

struct MetricDefinition {
  std::string tag;          ///< "lane/COMP_1/busy": stable, hierarchical
  std::string name;         ///< "Busy COMP_1"
  std::string description;  ///< one sentence
  std::string formula;
  MetricHint hint = MetricHint::count;
};

struct MetricValue {
  MetricDefinition definition;
  MetricState state = MetricState::unknown;
  double value = 0;    ///< only where known; the median where it is measured over steps
  std::string reason;  ///< of absent and unknown
  std::optional<MetricSpread> spread;
  std::vector<double> over_steps;  ///< one value per step it rests on, in step order; may be empty

  [[nodiscard]] const std::string& tag() const { return definition.tag; }
  [[nodiscard]] bool known() const { return state == MetricState::known; }
};

MetricValue known_metric(MetricDefinition definition, double value);
/// Median and spread of one value per step; unknown with `reason` where there are none.
MetricValue known_over_steps(MetricDefinition definition, std::vector<double> values,
                             std::string reason);
MetricValue absent_metric(MetricDefinition definition, std::string reason);
MetricValue unknown_metric(MetricDefinition definition, std::string reason);

/// The metric of that tag; null where there is none.
const MetricValue* find_metric(const std::vector<MetricValue>& metrics, std::string_view tag);

}  // namespace quintet

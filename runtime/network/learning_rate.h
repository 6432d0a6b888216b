/// The learning rate of each step: a linear warm-up, then constant or a falling cosine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace quintet {

enum class ScheduleKind : std::uint8_t { constant, cosine };

constexpr std::string_view name_of(ScheduleKind kind) {
  return kind == ScheduleKind::constant ? "constant" : "cosine";
}

/// Steps count from 0 over the whole run. Warm-up: (step + 1) / warmup_steps of the peak, so that
/// its last step has the peak. Cosine: the peak at step warmup_steps, `final_rate` at total_steps
/// and after.
struct LearningRateSchedule {
  ScheduleKind kind = ScheduleKind::constant;
  double peak = 0.01;
  double final_rate = 0;          ///< cosine only
  std::int64_t warmup_steps = 0;  ///< 0 = none
  std::int64_t total_steps = 1;   ///< cosine only: where it has come down

  [[nodiscard]] float at(std::int64_t step) const;
  /// The rates of steps 0 to count - 1.
  [[nodiscard]] std::vector<float> table(std::int64_t count) const;
};

}  // namespace quintet

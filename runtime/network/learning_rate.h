/// The learning rate of each step: a linear warm-up, then constant, falling in steps, or falling
/// along a cosine or a power.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace quintet {

enum class ScheduleKind : std::uint8_t { constant, cosine, step, polynomial };

constexpr std::string_view name_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::constant:
      return "constant";
    case ScheduleKind::cosine:
      return "cosine";
    case ScheduleKind::step:
      return "step";
    case ScheduleKind::polynomial:
      return "polynomial";
  }
  return {};
}

/// Steps count from 0 over the whole run. Warm-up: (step + 1) / warmup_steps of the peak, so that
/// its last step has the peak. Cosine and polynomial: the peak at step warmup_steps, `final_rate`
/// at total_steps and after. Step: the peak times gamma for each milestone reached, and for each
/// `every_steps` steps done, the warm-up's included.
struct LearningRateSchedule {
  ScheduleKind kind = ScheduleKind::constant;
  double peak = 0.01;
  double final_rate = 0;                 ///< cosine and polynomial only
  std::int64_t warmup_steps = 0;         ///< 0 = none
  std::int64_t total_steps = 1;          ///< cosine and polynomial only: where it has come down
  double power = 1;                      ///< polynomial only
  double gamma = 0.1;                    ///< step only
  std::vector<std::int64_t> milestones;  ///< step only: rising
  std::int64_t every_steps = 0;          ///< step only; 0 = only at the milestones

  [[nodiscard]] float at(std::int64_t step) const;
  /// The rates of steps 0 to count - 1.
  [[nodiscard]] std::vector<float> table(std::int64_t count) const;

 private:
  /// `share` of the way from final_rate up to the peak.
  [[nodiscard]] double between(double share) const;
  /// How much of the way from the warm-up to total_steps is done, in [0, 1).
  [[nodiscard]] double done(std::int64_t step) const;
};

}  // namespace quintet

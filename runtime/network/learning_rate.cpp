#include "runtime/network/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quintet {

double LearningRateSchedule::between(double share) const {
  return final_rate + (peak - final_rate) * share;
}

double LearningRateSchedule::done(std::int64_t step) const {
  return static_cast<double>(step - warmup_steps) / static_cast<double>(total_steps - warmup_steps);
}

float LearningRateSchedule::at(std::int64_t step) const {
  if (step < warmup_steps) {
    return static_cast<float>(peak * static_cast<double>(step + 1) /
                              static_cast<double>(warmup_steps));
  }
  const bool over = step >= total_steps;
  switch (kind) {
    case ScheduleKind::constant:
      return static_cast<float>(peak);
    case ScheduleKind::cosine:
      if (over) return static_cast<float>(final_rate);
      return static_cast<float>(between(0.5 * (1 + std::cos(std::numbers::pi * done(step)))));
    case ScheduleKind::step: {
      auto falls =
          std::upper_bound(milestones.begin(), milestones.end(), step) - milestones.begin();
      if (every_steps > 0) falls += step / every_steps;
      return static_cast<float>(peak * std::pow(gamma, static_cast<double>(falls)));
    }
    case ScheduleKind::polynomial:
      if (over) return static_cast<float>(final_rate);
      return static_cast<float>(between(std::pow(1 - done(step), power)));
  }
  return 0;
}

std::vector<float> LearningRateSchedule::table(std::int64_t count) const {
  std::vector<float> rates;
  for (std::int64_t step = 0; step < count; ++step)
    rates.push_back(at(step));
  return rates;
}

}  // namespace quintet

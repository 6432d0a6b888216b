#include "runtime/network/learning_rate.h"

#include <cmath>
#include <numbers>

namespace quintet {

float LearningRateSchedule::at(std::int64_t step) const {
  if (step < warmup_steps) {
    return static_cast<float>(peak * static_cast<double>(step + 1) /
                              static_cast<double>(warmup_steps));
  }
  switch (kind) {
    case ScheduleKind::constant:
      return static_cast<float>(peak);
    case ScheduleKind::cosine: {
      if (step >= total_steps) return static_cast<float>(final_rate);
      const double done = static_cast<double>(step - warmup_steps) /
                          static_cast<double>(total_steps - warmup_steps);
      return static_cast<float>(final_rate + (peak - final_rate) * 0.5 *
                                                 (1 + std::cos(std::numbers::pi * done)));
    }
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

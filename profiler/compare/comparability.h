/// What stands in the way of comparing two sides: each caveat by name, with what to do about it.
#pragma once

#include <string>
#include <vector>

#include "profiler/compare/recording_sample.h"

namespace quintet {

/// Beyond this ratio of step times the recording itself distorts what it shows.
inline constexpr double kMostProbeEffect = 1.05;

struct Caveat {
  std::string name;      ///< "other_gpu"
  bool refuses = false;  ///< no check may rest on such a pair; a comparison only says so
  std::string message;
  std::string cure;
};

/// Most severe first. Both sides must hold a recording.
std::vector<Caveat> caveats_of(const std::vector<RecordingSample>& a,
                               const std::vector<RecordingSample>& b);

}  // namespace quintet

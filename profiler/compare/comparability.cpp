#include "profiler/compare/comparability.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace quintet {

namespace {

/// A provenance key whose values must agree, or had better.
struct Agreement {
  const char* key;
  const char* caveat;
  const char* what;
  bool refuses;
  const char* cure;
};

constexpr auto kBothSides = std::to_array<Agreement>({
    {"scenario", "other_scenario", "the scenario", true, "record both sides with one scenario"},
    {"network", "other_network", "the network", true, "record both sides with one network"},
    {"batch", "other_batch", "the batch size", true, "record both sides with one --batch"},
    {"lowering", "other_lowering", "the lowering, and with it the arithmetic", true,
     "record both sides with one --lowering"},
    {"executor", "other_executor", "the executor", true, "record both sides with one --executor"},
    {"gpu", "other_gpu", "the GPU", true, "record both sides on one kind of GPU"},
    {"cpu", "other_cpu", "the processor", true, "record both sides on one kind of machine"},
    {"cuda_driver", "other_driver", "the driver", false,
     "record the baseline anew with this driver"},
    {"connections", "other_connections", "the number of queues that the streams share", false,
     "record both sides with one --connections"},
    {"record_mode", "other_record_mode", "how it was recorded", false,
     "record both sides with one --record"},
    {"cuda_runtime", "other_library", "the version of the CUDA runtime", false,
     "record the baseline anew with this version"},
    {"cudnn", "other_library", "the version of cuDNN", false,
     "record the baseline anew with this version"},
    {"onednn_version", "other_library", "the version of oneDNN", false,
     "record the baseline anew with this version"},
    {"machine", "other_machine", "the machine", false, "record both sides on one machine"},
});

/// What the recordings of one side must have in common to be runs of one thing.
constexpr auto kOneSide = std::to_array<const char*>(
    {"scenario", "policy", "batch", "lowering", "executor", "gpu", "step_mode", "gradients"});

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::set<std::string> values_of(const std::vector<RecordingSample>& side, const std::string& key) {
  std::set<std::string> values;
  for (const RecordingSample& recording : side) {
    if (std::string value = recording.said(key); !value.empty()) values.insert(std::move(value));
  }
  return values;
}

std::string listed(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values)
    text += (text.empty() ? "" : ", ") + value;
  return text;
}

std::string stand_ins(std::size_t steps) {
  return steps == 1 ? "1 step stands in for it" : fmt::format("{} steps stand in for it", steps);
}

class CaveatList {
 public:
  CaveatList(const std::vector<RecordingSample>& a, const std::vector<RecordingSample>& b)
      : a_(a), b_(b) {}

  std::vector<Caveat> build() {
    compare_provenance();
    check_side("the first side", a_);
    check_side("the second side", b_);
    find_repeated();
    for (const std::vector<RecordingSample>* side : {&a_, &b_}) {
      for (const RecordingSample& recording : *side)
        check_recording(recording);
    }
    std::stable_sort(caveats_.begin(), caveats_.end(), [](const Caveat& first, const Caveat& next) {
      return first.refuses && !next.refuses;
    });
    return std::move(caveats_);
  }

 private:
  void compare_provenance() {
    for (const Agreement& agreement : kBothSides) {
      const std::set<std::string> first = values_of(a_, agreement.key);
      const std::set<std::string> second = values_of(b_, agreement.key);
      if (first.empty() || second.empty() || first == second) continue;
      caveats_.push_back(
          {agreement.caveat, agreement.refuses,
           fmt::format("{} differs: {} against {}", agreement.what, listed(first), listed(second)),
           agreement.cure});
    }
  }

  void check_side(const char* which, const std::vector<RecordingSample>& side) {
    for (const char* key : kOneSide) {
      const std::set<std::string> values = values_of(side, key);
      if (values.size() < 2) continue;
      caveats_.push_back(
          {"mixed_side", true,
           fmt::format("the recordings of {} differ in {}: {}", which, key, listed(values)),
           "give recordings of one thing as one side"});
    }
  }

  /// A recording that counts twice would fake certainty.
  void find_repeated() {
    std::map<std::string, std::string> seen;
    for (const std::vector<RecordingSample>* side : {&a_, &b_}) {
      for (const RecordingSample& recording : *side) {
        const auto [found, fresh] = seen.try_emplace(recording.identity, recording.file);
        if (fresh) continue;
        caveats_.push_back(
            {"repeated_recording", true,
             fmt::format("{} and {} are the same recording", found->second, recording.file),
             "give each recording once; record again for more certainty"});
      }
    }
  }

  void check_recording(const RecordingSample& recording) {
    const auto untraced = number(recording.said("untraced_step_ns"));
    if (untraced && *untraced > 0 && recording.timed && !recording.step_time_ns.empty()) {
      const auto said = number(recording.said("traced_step_ns"));
      const double effect = said.value_or(median_of(recording.step_time_ns)) / *untraced;
      if (effect > kMostProbeEffect) {
        caveats_.push_back(
            {"probe_effect", false,
             fmt::format("{}: recording made a step {:.2f} times as long", recording.file, effect),
             "compare untraced step times, or record in a lighter mode"});
      }
    }
    if (!recording.timed) {
      caveats_.push_back({"untimed_steps", true,
                          fmt::format("{}: no step could be timed ({})", recording.file,
                                      stand_ins(recording.step_time_ns.size())),
                          "record more training steps of the full batch"});
    }
    for (const Finding& finding : recording.findings) {
      if (finding.name == "incomplete_recording") continue;  // told by its state
      caveats_.push_back({finding.name, false,
                          fmt::format("{}: {}", recording.file, finding.message),
                          "mend what it names and record again"});
    }
    if (recording.state != RecordingState::complete) {
      caveats_.push_back({"incomplete_recording", false,
                          fmt::format("{} is {}", recording.file, name_of(recording.state)),
                          "let the run end"});
    }
  }

  const std::vector<RecordingSample>& a_;
  const std::vector<RecordingSample>& b_;
  std::vector<Caveat> caveats_;
};

}  // namespace

std::vector<Caveat> caveats_of(const std::vector<RecordingSample>& a,
                               const std::vector<RecordingSample>& b) {
  return CaveatList(a, b).build();
}

}  // namespace quintet

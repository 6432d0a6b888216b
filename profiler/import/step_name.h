/// Which training step a range of a program marks: one rule for all formats.
///
/// A range marks a step by its name: ProfilerStep, step or iteration (in any case), then one of
/// "# _-", then digits and nothing else: "ProfilerStep#12", "step 12", "iteration_12". In the NVTX
/// domain "quintet" a range called "step" marks the one that its payload numbers.
///
/// Where a file marks steps in several ways, the first of StepMark's order that it uses counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

/// How a range says that it is a step, the most certain way first.
enum class StepMark : std::uint8_t { payload, profiler_step, step, iteration };

struct NamedStep {
  std::int64_t number = 0;
  StepMark mark = StepMark::step;
  friend bool operator==(const NamedStep&, const NamedStep&) = default;
};

/// The NVTX domain of our own ranges.
inline constexpr std::string_view kOwnRangeDomain = "quintet";

/// The step that a range of this name marks; nothing = none.
std::optional<NamedStep> named_step(std::string_view name);
/// The same of a range of an NVTX domain, whose payload is a whole number or nothing.
std::optional<NamedStep> named_step(std::string_view name, std::string_view domain,
                                    std::optional<std::int64_t> payload);

}  // namespace quintet

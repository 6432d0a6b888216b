/// Checks of numbers that are typed: CLI11's own take "nan", cut to fit what is too large, and quote
/// their bounds as doubles.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace quintet {

/// A finite number above 0.
CLI::Validator above_zero();

/// A whole number from `least` to `most`, in decimal digits.
CLI::Validator whole_number(std::int64_t least,
                            std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace quintet

/// The known name that a misspelt one most likely meant, for errors about files and command lines.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quintet {

/// Fewest insertions, deletions, replacements and swaps of neighbours that make one of the other;
/// upper and lower case count as the same letter.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known` (the first of equals), or nothing where even that is too far to be meant.
std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known);

/// The cure of an unknown name: `did you mean "x"?`, or else what is known: `use one of a, b, c`.
std::string suggestion(std::string_view name, std::span<const std::string_view> known);

}  // namespace quintet

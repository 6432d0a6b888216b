/// What marks a file as written by this program: a later one may take its place. CSV, DOT and SVG files
/// have no mark.
#pragma once

#include <cstddef>
#include <string_view>

namespace quintet {

/// What Markdown and policies begin with.
inline constexpr std::string_view kMarkdownSignature = "<!-- quintet check -->\n";
inline constexpr std::string_view kPolicySignature = "# written by quintet\n";

/// So many bytes from the front of a file hold its mark.
inline constexpr std::size_t kSignatureBytes = 65'536;

/// True for a file that begins with these bytes (up to kSignatureBytes of them) and was written by this
/// program: its pages, JSON, Chrome and Perfetto traces, summaries, policies, pictures and SQL exports.
/// Recordings and histories are not outputs in this sense.
bool has_signature(std::string_view head);

}  // namespace quintet

/// Finding a command by some of its letters.
#pragma once

#include <optional>
#include <string_view>

namespace quintet::viewer {

/// How well `text` has the letters of `pattern` in their order, in whatever case: nothing where it
/// lacks one, else higher is better. Letters that begin words and letters in a row count more. An
/// empty pattern matches everything with 0; blanks of the pattern are passed over.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text);

/// True where `text` contains `part`, in whatever case of ASCII letters; an empty part is in all.
bool contains_text(std::string_view text, std::string_view part);

}  // namespace quintet::viewer

/// Tables for terminals: columns as wide as their content, numbers on the right.
#pragma once

#include <string>
#include <vector>

namespace quintet {

enum class ColumnAlign { left, right };

struct TextColumn {
  std::string title;
  ColumnAlign align = ColumnAlign::left;
};

/// Rows under a heading and a rule; every line indented by two spaces, none ends in spaces. Cells
/// missing at a row's end are empty; control characters in them are escaped (visible_text). `max_width` > 0 shortens the first column so that the lines
/// fit.
std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, bool unicode,
                       std::size_t max_width = 0);

}  // namespace quintet

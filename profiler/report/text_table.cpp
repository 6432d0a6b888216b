#include "profiler/report/text_table.h"

#include <algorithm>
#include <numeric>

#include "profiler/report/format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Before anything is measured: what is escaped takes more room.
std::vector<std::vector<std::string>> visible_rows(std::vector<std::vector<std::string>> rows) {
  for (std::vector<std::string>& row : rows) {
    for (std::string& cell : row)
      cell = visible_text(cell);
  }
  return rows;
}

}  // namespace

std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& cells, bool unicode,
                       std::size_t max_width) {
  const std::vector<std::vector<std::string>> rows = visible_rows(cells);
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    std::size_t width = display_width(columns[column].title);
    for (const auto& row : rows) {
      if (column < row.size()) width = std::max(width, display_width(row[column]));
    }
    widths.push_back(width);
  }
  const std::size_t total =
      std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + kGap * widths.size();
  if (max_width > 0 && total > max_width) {
    const std::size_t excess = total - max_width;
    widths[0] = std::max(kNarrowest, widths[0] > excess ? widths[0] - excess : 0);
  }
  const auto line_of = [&](auto cell_of) {
    std::string line;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::string cell = shorten(cell_of(column), widths[column], unicode);
      line += std::string(kGap, ' ');
      line += columns[column].align == ColumnAlign::left ? pad_right(cell, widths[column])
                                                         : pad_left(cell, widths[column]);
    }
    return trimmed(std::move(line));
  };
  std::string text = line_of([&](std::size_t column) { return columns[column].title; });
  const std::string dash = unicode ? "\u2500" : "-";
  std::string rule;
  for (const std::size_t width : widths) {
    rule += std::string(kGap, ' ');
    for (std::size_t column = 0; column < width; ++column)
      rule += dash;
  }
  text += rule + "\n";
  for (const auto& row : rows) {
    text += line_of(
        [&](std::size_t column) { return column < row.size() ? row[column] : std::string(); });
  }
  return text;
}

}  // namespace quintet

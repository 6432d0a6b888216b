/// Tables of any length: only the rows that are seen are drawn; columns sort and resize.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <imgui.h>
#include <optional>
#include <span>
#include <string_view>

#include "viewer/widgets/palette.h"

namespace quintet::viewer {

struct TableColumn {
  const char* title = "";
  float width = 0;        ///< units; 0 = takes what is left
  bool right = false;     ///< numbers: the title lies on the right, too
  const char* note = "";  ///< shown on hover of the title
};

/// How rows shall lie.
struct TableSort {
  int column = 0;
  bool descending = false;
  friend bool operator==(const TableSort&, const TableSort&) = default;
};

/// Draws a table into what is left of the window, or `height` pixels. Usage:
///   Table table("tasks", kColumns, {.sortable = true}, scale);
///   if (table) { if (table.sort()) ...; table.rows(count, [&](std::size_t row) { table.cell(); ... }); }
class Table {
 public:
  struct Style {
    bool sortable = false;
    TableSort first;   ///< at the beginning
    float height = 0;  ///< pixels; 0 = what is left
  };

  Table(const char* id, std::span<const TableColumn> columns, const Style& style, float scale);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table();

  explicit operator bool() const { return open_; }
  /// How the user wants it sorted, by one column.
  [[nodiscard]] TableSort sort() const { return sort_; }
  /// Calls `draw` for each row that is seen.
  void rows(std::size_t count, const std::function<void(std::size_t)>& draw);
  /// Goes to the next cell of the row; false where the column is out of sight.
  static bool cell() { return ImGui::TableNextColumn(); }
  /// Makes the row a thing that can be picked: call it in the first cell. True when it was.
  static bool pick(const char* id, bool picked);

 private:
  void head(std::span<const TableColumn> columns);

  bool open_ = false;
  TableSort sort_;
};

/// A number with a bar of `share` (0 to 1) of the cell behind it.
void bar_cell(double share, std::string_view text, const Color& bar, const Palette& palette);

}  // namespace quintet::viewer

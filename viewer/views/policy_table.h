/// The table of the Policy pane: op kinds, parts and layers down, streams across; cells are dragged
/// from stream to stream.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Remembers which rows are unfolded and what is dragged.
class PolicyTable {
 public:
  void draw(const MappingKeeper& keeper, ViewContext& context);

 private:
  void draw_row(const MappingKeeper& keeper, const MappingRow& row, ViewContext& context);
  void draw_label(const MappingRow& row, ViewContext& context);
  void draw_cell(const MappingKeeper& keeper, const MappingRow& row, StreamKind stream,
                 ViewContext& context);
  void draw_menu(const MappingKeeper& keeper, const MappingRow& row, ViewContext& context);
  [[nodiscard]] bool seen(const MappingRow& row) const;

  std::set<std::string> unfolded_;  ///< "KIND", "KIND/part"
  bool target_hovered_ = false;     ///< in this frame, by something that is dragged
  bool dragging_ = false;
};

}  // namespace quintet::viewer

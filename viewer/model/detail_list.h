/// Labelled facts in sections: what the Selection pane shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/model/selection.h"

namespace quintet::viewer {

struct DetailLine {
  std::string label;
  std::string value;
  std::string note;               ///< shown on hover; may be empty
  bool unknown = false;           ///< the recording cannot tell; the value says why
  std::optional<Selection> link;  ///< a click selects it
};

struct DetailSection {
  std::string title;
  std::vector<DetailLine> lines;
};

struct DetailList {
  std::string title;
  std::string subtitle;
  std::vector<DetailSection> sections;
};

}  // namespace quintet::viewer

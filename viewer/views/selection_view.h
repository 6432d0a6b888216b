/// The Selection pane: every field of what is picked.
#pragma once

#include "viewer/views/view.h"

namespace quintet::viewer {

class SelectionView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "selection"; }
  [[nodiscard]] std::string_view title() const override { return "Selection"; }
  void draw(ViewContext& context) override;
};

}  // namespace quintet::viewer

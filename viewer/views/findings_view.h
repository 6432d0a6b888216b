/// The Findings tab: what is odd about a recording, the most severe first.
#pragma once

#include "viewer/views/view.h"

namespace quintet::viewer {

class FindingsView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "findings"; }
  [[nodiscard]] std::string_view title() const override { return "Findings"; }
  void draw(ViewContext& context) override;
};

}  // namespace quintet::viewer

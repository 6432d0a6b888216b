/// The hits of the search, in order of time.
#pragma once

#include "viewer/views/view.h"

namespace quintet::viewer {

class SearchView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "search"; }
  [[nodiscard]] std::string_view title() const override { return "Search"; }
  void draw(ViewContext& context) override;
};

}  // namespace quintet::viewer

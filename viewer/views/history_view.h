/// The History tab: how a metric went from run to run.
#pragma once

#include <string>

#include "viewer/views/view.h"

namespace quintet::viewer {

class HistoryView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "history"; }
  [[nodiscard]] std::string_view title() const override { return "History"; }
  void draw(ViewContext& context) override;

 private:
  std::string file_;  ///< as typed
};

}  // namespace quintet::viewer

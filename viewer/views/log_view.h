/// The Log tab: what the viewer did and what went wrong.
#pragma once

#include "viewer/views/view.h"

namespace quintet::viewer {

class LogView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "log"; }
  [[nodiscard]] std::string_view title() const override { return "Log"; }
  void draw(ViewContext& context) override;

 private:
  std::uint64_t drawn_ = 0;  ///< number of the newest line of the frame before
};

}  // namespace quintet::viewer

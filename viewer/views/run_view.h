/// The Run tab: what to train, how it goes, loss and throughput while it does.
#pragma once

#include <string>

#include "viewer/views/view.h"

namespace quintet::viewer {

class RunKeeper;

class RunView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "run"; }
  [[nodiscard]] std::string_view title() const override { return "Run"; }
  void draw(ViewContext& context) override;

 private:
  void draw_choices(const RunKeeper& run, ViewContext& context);
  void draw_curves(const RunKeeper& run, ViewContext& context);

  std::string filter_;
  int steps_ = 0;
};

}  // namespace quintet::viewer

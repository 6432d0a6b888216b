/// The Advice pane: single moves, the greatest predicted gain first.
#pragma once

#include <cstddef>
#include <optional>

#include "viewer/model/mapping/advice_keeper.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// The pointer over a move tries it, a click makes it.
class AdviceView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "advice"; }
  [[nodiscard]] std::string_view title() const override { return "Advice (ranked)"; }
  void draw(ViewContext& context) override;

 private:
  void draw_move(const AdviceKeeper& keeper, std::size_t rank, ViewContext& context);
  void try_move(const AdviceKeeper& keeper, ViewContext& context);

  std::optional<std::size_t> hovered_;  ///< in this frame, one that can be made
  std::optional<std::size_t> tried_;    ///< whose preview was asked for
};

}  // namespace quintet::viewer

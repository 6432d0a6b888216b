/// The bookmarks of a recording, with their notes to edit.
#pragma once

#include <optional>
#include <string>

#include "viewer/views/view.h"

namespace quintet::viewer {

class BookmarksView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "bookmarks"; }
  [[nodiscard]] std::string_view title() const override { return "Bookmarks"; }
  void draw(ViewContext& context) override;

 private:
  void draw_note(std::size_t bookmark, const std::string& note, ViewContext& context);

  std::optional<std::size_t> edited_;  ///< whose note is in `text_`
  std::string text_;
};

}  // namespace quintet::viewer

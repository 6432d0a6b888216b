#include "viewer/views/view_catalog.h"

#include <array>

#include "viewer/views/log_view.h"

namespace quintet::viewer {

namespace {

template <class T>
std::unique_ptr<View> make() {
  return std::make_unique<T>();
}

}  // namespace

std::span<const ViewEntry> view_catalog() {
  static constexpr auto kViews = std::to_array<ViewEntry>({
      {"log", Placement::bottom, 1, &make<LogView>},
  });
  return kViews;
}

}  // namespace quintet::viewer

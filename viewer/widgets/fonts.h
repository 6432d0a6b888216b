/// The faces that views write in.
#pragma once

struct ImFont;

namespace quintet::viewer {

/// Owned by ImGui's font atlas. Never null while frames are drawn; without the DejaVu files all
/// four are ImGui's built-in face.
struct Fonts {
  ImFont* body = nullptr;   ///< 13.5 units
  ImFont* bold = nullptr;   ///< the same size, for titles and the current thing
  ImFont* small = nullptr;  ///< 11.5 units: labels of boxes, axes
  ImFont* mono = nullptr;   ///< 13 units: kernel names, files
};

}  // namespace quintet::viewer

/// Pictures as a person last saw them.
#pragma once

#include <string>

#include "viewer/platform/image.h"

namespace quintet::viewer {

/// Fails where `actual` is not, within a tolerance, tests/viewer/app/golden/<name>.png, and leaves
/// it beside the test's program then. QUINTET_UPDATE_GOLDEN=1 rewrites the file instead.
void expect_picture(const std::string& name, const Image& actual);

}  // namespace quintet::viewer

# Looks for what the viewer needs, without asking for it: Dear ImGui with its GLFW and OpenGL 3 backends, GLFW, OpenGL
# and libpng. Sets QUINTET_VIEWER_FOUND and, with it, the targets PkgConfig::QUINTET_IMGUI, PkgConfig::QUINTET_PNG, glfw,
# OpenGL::GL and CLI11::CLI11.
find_package(PkgConfig QUIET)
set(QUINTET_VIEWER_FOUND OFF)
if(PkgConfig_FOUND)
  pkg_check_modules(QUINTET_IMGUI QUIET IMPORTED_TARGET GLOBAL imgui)
  pkg_check_modules(QUINTET_PNG QUIET IMPORTED_TARGET GLOBAL libpng)
endif()
find_package(glfw3 QUIET)
find_package(OpenGL QUIET COMPONENTS OpenGL)
find_package(CLI11 QUIET)
if(TARGET PkgConfig::QUINTET_IMGUI AND TARGET PkgConfig::QUINTET_PNG AND TARGET glfw AND TARGET OpenGL::GL
    AND TARGET CLI11::CLI11)
  set(QUINTET_VIEWER_FOUND ON)
endif()

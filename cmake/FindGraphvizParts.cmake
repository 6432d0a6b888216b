# Looks for Graphviz's library, without asking for it. Sets QUINTET_GRAPHVIZ_FOUND and, with it, the target
# PkgConfig::QUINTET_GRAPHVIZ.
find_package(PkgConfig QUIET)
set(QUINTET_GRAPHVIZ_FOUND OFF)
if(PkgConfig_FOUND)
  pkg_check_modules(QUINTET_GRAPHVIZ QUIET IMPORTED_TARGET GLOBAL libgvc libcgraph)
endif()
if(TARGET PkgConfig::QUINTET_GRAPHVIZ)
  set(QUINTET_GRAPHVIZ_FOUND ON)
endif()

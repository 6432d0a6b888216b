# Install and export rules: find_package(quintet) gives the targets quintet::<room>.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(rooms GLOBAL PROPERTY QUINTET_ROOMS)
install(TARGETS ${rooms} quintet_options EXPORT quintet_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/quintet"
  FILE_SET lone_headers DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/quintet")
if(TARGET quintet)
  install(TARGETS quintet RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(EXPORT quintet_targets NAMESPACE quintet:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/quintet")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/quintetConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/quintetConfig.cmake" INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/quintet")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/quintetConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/quintetConfig.cmake" "${PROJECT_BINARY_DIR}/quintetConfigVersion.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/quintet")

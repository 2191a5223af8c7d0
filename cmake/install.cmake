# cmake --install, then find_package(pliant) gives pliant::pliant (core .. world) and, when built, pliant::app (.. play).
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY PLIANT_ROOMS)

add_library(pliant_pliant INTERFACE)
set_target_properties(pliant_pliant PROPERTIES EXPORT_NAME pliant)
target_link_libraries(pliant_pliant INTERFACE pliant_world pliant_methods pliant_geometry_intake)
add_library(pliant::pliant ALIAS pliant_pliant)

set(faces pliant_pliant)
if(PLIANT_APPS)
  add_library(pliant_app INTERFACE)
  set_target_properties(pliant_app PROPERTIES EXPORT_NAME app)
  target_link_libraries(pliant_app INTERFACE pliant_pliant pliant_play)
  add_library(pliant::app ALIAS pliant_app)
  list(APPEND faces pliant_app)
endif()

install(TARGETS ${rooms} ${faces} EXPORT pliantTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pliant FILES_MATCHING PATTERN "*.h")
configure_package_config_file(cmake/pliantConfig.cmake.in ${PROJECT_BINARY_DIR}/pliantConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliantConfig.cmake ${PROJECT_BINARY_DIR}/pliantConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
if(PLIANT_APPS)
  install(TARGETS pliant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant)
endif()

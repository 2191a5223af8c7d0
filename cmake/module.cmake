# pliant_module(room [COLD] [DEPENDS rooms...] [LINK libraries...] SOURCES files... [TESTS files...])
#
# A room is a folder under src/: one static library that sees only the rooms it names, and one test program for
# the *_test.cpp files beside the code. "geometry/mesh" becomes pliant_geometry_mesh. COLD rooms have no hot loops:
# they are compiled with -O1, which takes a third less time.
function(pliant_module room)
  cmake_parse_arguments(M "COLD" "" "DEPENDS;LINK;SOURCES;TESTS" ${ARGN})
  string(REPLACE "/" "_" name ${room})
  add_library(pliant_${name} STATIC ${M_SOURCES})
  add_library(pliant::${name} ALIAS pliant_${name})
  set_target_properties(pliant_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(pliant_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/pliant>)
  target_compile_features(pliant_${name} PUBLIC cxx_std_20)
  target_compile_options(pliant_${name} PRIVATE ${PLIANT_WARNINGS})
  set(heat hot)
  if(M_COLD)
    set(heat cold)
    target_compile_options(pliant_${name} PRIVATE ${PLIANT_COLD})
  endif()
  if(NOT room STREQUAL core)  # which has no Eigen
    pliant_use_headers(pliant_${name} ${heat})
  endif()
  foreach(other ${M_DEPENDS})
    string(REPLACE "/" "_" other ${other})
    target_link_libraries(pliant_${name} PUBLIC pliant_${other})
  endforeach()
  target_link_libraries(pliant_${name} PUBLIC ${M_LINK})
  set_property(GLOBAL APPEND PROPERTY PLIANT_ROOMS pliant_${name})
  if(PLIANT_TESTS AND M_TESTS)
    add_executable(test_${name} ${M_TESTS})
    target_compile_options(test_${name} PRIVATE ${PLIANT_WARNINGS} ${PLIANT_COLD})  # the code under test keeps -O3
    target_link_libraries(test_${name} PRIVATE pliant_${name} pliant_doctest_main)
    set_target_properties(test_${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    if(NOT room STREQUAL core)
      pliant_use_headers(test_${name} tests)
    endif()
    add_test(NAME unit.${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(unit.${name} PROPERTIES TIMEOUT 600 LABELS unit)
    if(room STREQUAL studies)  # simulate most: they start first, so that no core waits for them at the end
      set_tests_properties(unit.${name} PROPERTIES COST 100)
    endif()
  endif()
endfunction()

set(PLIANT_COLD $<$<CONFIG:Release>:-O1>)
set(PLIANT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 sees overruns in its own strings and vectors where there are none, most of all with precompiled headers.
  list(APPEND PLIANT_WARNINGS -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
       -Wno-error=maybe-uninitialized -Wno-error=uninitialized)
endif()

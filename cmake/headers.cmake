# Headers that nearly every file reads, parsed once: Eigen alone takes longer to parse than most files to compile. One set
# for each way files are compiled (hot rooms, cold rooms, tests), since a parsed header fits one set of flags only.
option(PLIANT_PRECOMPILED_HEADERS "parse Eigen and common headers once; makes a full build about twice as fast" ON)
set(CMAKE_PCH_WARN_INVALID OFF)  # where the flags do not fit, headers are read as usual

function(pliant_parse_headers kind)
  add_library(pliant_headers_${kind} OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cpp)
  target_compile_features(pliant_headers_${kind} PUBLIC cxx_std_20)
  target_compile_options(pliant_headers_${kind} PRIVATE ${PLIANT_WARNINGS} ${ARGN})
  target_link_libraries(pliant_headers_${kind} PRIVATE Eigen3::Eigen)
  target_precompile_headers(pliant_headers_${kind} PRIVATE
    <Eigen/Core> <Eigen/Geometry> <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <span> <string> <vector>)
endfunction()

function(pliant_use_headers target kind)
  if(PLIANT_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM pliant_headers_${kind})
  endif()
endfunction()

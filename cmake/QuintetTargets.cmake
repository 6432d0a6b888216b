# The functions every CMakeLists.txt of the tree uses, so that all targets have one shape.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

# The default build keeps its assertions: they are how our own bugs are told. `release` drops them.
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)

add_library(quintet_options INTERFACE)
target_compile_features(quintet_options INTERFACE cxx_std_20)
add_library(quintet_warnings INTERFACE)
target_compile_options(quintet_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wno-missing-field-initializers;-Wnon-virtual-dtor;-Wold-style-cast;-Woverloaded-virtual;-Wswitch-enum>"
  # What nvcc itself generates is neither pedantic nor free of old-style casts.
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Wconversion,-Wno-sign-conversion>")
if(QUINTET_WARNINGS_AS_ERRORS)
  target_compile_options(quintet_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(NOT QUINTET_SANITIZER STREQUAL "" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Instrumented code makes GCC's flow-dependent warnings guess wrong, in the standard library too.
  target_compile_options(quintet_warnings INTERFACE
    -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(CMAKE_UNITY_BUILD)
  # Several files are one there: a local may be named as another file's helper is. `host` compiles them one by one.
  target_compile_options(quintet_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
endif()
if(QUINTET_SANITIZER STREQUAL "address")
  target_compile_options(quintet_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(quintet_options INTERFACE -fsanitize=address,undefined)
elseif(QUINTET_SANITIZER STREQUAL "thread")
  target_compile_options(quintet_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan)
  target_link_options(quintet_options INTERFACE -fsanitize=thread)
elseif(NOT QUINTET_SANITIZER STREQUAL "")
  message(FATAL_ERROR "QUINTET_SANITIZER=${QUINTET_SANITIZER}: use address, thread or nothing")
endif()

if(QUINTET_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "QUINTET_FUZZ needs Clang: -DCMAKE_CXX_COMPILER=clang++")
  endif()
  target_compile_options(quintet_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# quintet_add_library(<room> SOURCES ... HEADERS ... [LINK ...] [PRIVATE_LINK ...])
#   adds the target quintet_<room> with the alias quintet::<room>; paths in includes start at the repository root.
function(quintet_add_library room)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;LINK;PRIVATE_LINK" ${ARGN})
  # A source includes its own header first (tests/architecture holds it to that), so compiling it shows that the
  # header needs nothing before it. The headers without such a source are compiled by themselves.
  set(shown_by_source ${arg_HEADERS})
  set(lone ${arg_HEADERS})
  foreach(header IN LISTS arg_HEADERS)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE source)
    if(source IN_LIST arg_SOURCES AND NOT CMAKE_UNITY_BUILD)
      list(REMOVE_ITEM lone "${header}")
    else()
      list(REMOVE_ITEM shown_by_source "${header}")
    endif()
  endforeach()
  add_library(quintet_${room} STATIC)
  add_library(quintet::${room} ALIAS quintet_${room})
  target_sources(quintet_${room}
    PRIVATE ${arg_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${shown_by_source}
    PUBLIC FILE_SET lone_headers TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${lone})
  target_link_libraries(quintet_${room}
    PUBLIC quintet_options fmt::fmt tl::expected ${arg_LINK}
    PRIVATE $<BUILD_INTERFACE:quintet_warnings> ${arg_PRIVATE_LINK})
  set_target_properties(quintet_${room} PROPERTIES
    EXPORT_NAME ${room} VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY lone_headers)
  set_property(GLOBAL APPEND PROPERTY QUINTET_ROOMS quintet_${room})
endfunction()

# quintet_add_test(<name> SOURCES ... [LINK ...] [LABELS ...] [TIMEOUT seconds])
#   adds the GoogleTest program quintet_<name>, each of its tests known to CTest under the labels (default: unit).
function(quintet_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(quintet_${name} ${arg_SOURCES})
  target_link_libraries(quintet_${name}
    PRIVATE quintet_options quintet_warnings ${arg_LINK} GTest::gmock GTest::gtest_main)
  set_target_properties(quintet_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests")
  if(NOT CMAKE_UNITY_BUILD)
    set_target_properties(quintet_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  endif()
  # What tests call is optimised; they themselves are compiled in half the time and are easier to step through.
  target_compile_options(quintet_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-Og>)
  target_include_directories(quintet_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(quintet_${name} PRIVATE QUINTET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(quintet_${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT ${arg_TIMEOUT})
  # gtest_discover_tests flattens lists, so the labels are set by a script that CTest reads after it.
  set(labels_file "${CMAKE_CURRENT_BINARY_DIR}/quintet_${name}_labels.cmake")
  file(WRITE "${labels_file}" "if(quintet_${name}_TESTS)
  set_tests_properties(\${quintet_${name}_TESTS} PROPERTIES LABELS \"${arg_LABELS}\")
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labels_file}")
  if("threads" IN_LIST arg_LABELS)
    set_property(GLOBAL APPEND PROPERTY QUINTET_THREADS_TESTS quintet_${name})
  endif()
endfunction()

# quintet_add_benchmark(<name> SOURCES ... [LINK ...])
#   adds the Google Benchmark program bin/bench/<name>; `./dev bench` runs all of them.
function(quintet_add_benchmark name)
  if(NOT QUINTET_ENABLE_BENCHMARKS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  find_package(benchmark REQUIRED)
  add_executable(quintet_${name} ${arg_SOURCES})
  target_link_libraries(quintet_${name}
    PRIVATE quintet_options quintet_warnings ${arg_LINK} benchmark::benchmark benchmark::benchmark_main)
  set_target_properties(quintet_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/bench")
  target_include_directories(quintet_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(quintet_${name} PRIVATE QUINTET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

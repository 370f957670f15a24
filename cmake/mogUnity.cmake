# mogUnity.cmake: sources that are compiled together (MOG_UNITY).
#
# Most of what a file of ours takes to compile is what it includes, so that a build from nothing takes less than half of the time when the
# files of a folder are one compilation. A change costs more then, so who works on MOG compiles each file by itself (preset dev), which
# also shows what a file fails to include.

# mog_unity(TARGET [SPLIT folder...] [JOINED "folder ..."...] [SELDOM compilation...]): one compilation for each folder right below that of TARGET, and
# for each folder of those of SPLIT; one for all of the folders of each JOINED, `.` being that of TARGET: another compilation takes a second for the
# headers alone. Files of one compilation share a nameless namespace. What is done once in a run, or when somebody asks, is SELDOM: -O1, for which
# gcc takes a quarter less time. A compilation is named by its folder, or by those that are joined.
function(mog_unity target)
  if(NOT MOG_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SPLIT;JOINED;SELDOM")
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source)
    file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
    if(path MATCHES "^\\.\\./")
      file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")
    endif()
    set(group "own")
    foreach(folder IN LISTS arg_SPLIT)
      if(path MATCHES "^${folder}/[^/]+/")
        set(group "${CMAKE_MATCH_0}")
      endif()
    endforeach()
    if(group STREQUAL "own" AND path MATCHES "^[^/]+/")
      set(group "${CMAKE_MATCH_0}")
    endif()
    foreach(joined IN LISTS arg_JOINED)
      string(REPLACE " " ";" folders "${joined}")
      string(REGEX REPLACE "/$" "" folder "${group}")
      if(folder STREQUAL "own")
        set(folder ".")
      endif()
      if(folder IN_LIST folders)
        list(JOIN folders "_" group)
      endif()
    endforeach()
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  foreach(compilation IN LISTS arg_SELDOM)
    if(NOT compilation STREQUAL "own")  # as groups of folders end
      string(REGEX REPLACE "^([^ ]+)$" "\\1/" compilation "${compilation}")
    endif()
    string(MAKE_C_IDENTIFIER "${compilation}" compilation)
    set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${compilation}_cxx.cxx" PROPERTIES COMPILE_OPTIONS -O1)
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What gcc says of headers that use nameless namespaces is no news of files that it takes for headers here.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

# mog_precompiled(TARGET): the headers that nearly all of a library's files include are compiled once for it.
function(mog_precompiled target)
  if(MOG_UNITY)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory> <optional> <span> <string>
      <string_view> <thread> <unordered_map> <vector> <fmt/format.h>)
  endif()
endfunction()

# mog_command_line(TARGET): the target's main file reads its command line, and runs once. For size it takes a third less time to compile, and of
# the launcher, which is in every program, 80 KB less room.
function(mog_command_line target)
  target_link_libraries(${target} PRIVATE mog::command_line)
  target_compile_definitions(${target} PRIVATE MOG_VERSION="${PROJECT_VERSION}")
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
endfunction()

# mog_test_program(TARGET [OPTIMISED] [TOGETHER]): a program of tests is compiled to be there soon, not to be fast unless it is OPTIMISED.
# TOGETHER makes the files *_test.cpp one compilation, each in a namespace of its own, for tests repeat each other's names: most of what
# one takes to compile is headers, and templates that all instantiate.
function(mog_test_program target)
  if(NOT MOG_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED;TOGETHER" "" "")
  # -O2 takes twice as long as -O1, to make tests of ours hardly faster: what they test is -O2 in any case.
  target_compile_options(${target} PRIVATE $<IF:$<BOOL:${arg_OPTIMISED}>,-O1,-O0>)
  if(arg_TOGETHER)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "_test\\.cpp$")
    list(TRANSFORM sources REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
    set(together "${CMAKE_CURRENT_BINARY_DIR}/${target}_together.cpp")
    list(JOIN sources "|" joined)
    add_custom_command(
      OUTPUT "${together}"
      COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${together}" "-DSOURCES=${joined}" -P "${PROJECT_SOURCE_DIR}/cmake/together.cmake"
      DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/cmake/together.cmake"
      COMMENT "Joining the tests of ${target}"
      VERBATIM)
    set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
    target_sources(${target} PRIVATE "${together}")
  endif()
endfunction()

# mogUnity.cmake: sources that are compiled together (MOG_UNITY).
#
# Most of what a file of ours takes to compile is what it includes, so that a build from nothing takes less than half of the time when the
# files of a folder are one compilation. A change costs more then, so who works on MOG compiles each file by itself (preset dev), which
# also shows what a file fails to include.

# mog_unity(TARGET [SPLIT folder...]): one compilation for each folder right below that of TARGET, and for each folder of those of SPLIT.
# Files of one compilation share a nameless namespace.
function(mog_unity target)
  if(NOT MOG_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SPLIT")
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
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What gcc says of headers that use nameless namespaces is no news of files that it takes for headers here.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

# mog_test_program(TARGET [OPTIMISED] [HEADER...]): a program of tests is compiled to be there soon, not to be fast unless it is OPTIMISED,
# and its files share what they all include. They are no one compilation, for tests repeat each other's names.
function(mog_test_program target)
  if(NOT MOG_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED" "" "")
  if(NOT arg_OPTIMISED)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    target_precompile_headers(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS})
    # The file with doctest's main has doctest in another way.
    set_source_files_properties(main.cpp test_main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

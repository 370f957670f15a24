# mogAddProgram.cmake: programs for PEs as targets of CMake.
#
#   mog_add_program(NAME SOURCES file...
#                   [DEVICE all|host|opencl|cuda]         what it is made for; `all` is the default
#                   [OPTIONS option...]                   of mogcc, for compiling and linking; else -O2
#                   [DEFINITIONS name[=value]...] [INCLUDE_DIRECTORIES folder...] [LIBRARIES library...]
#                   [EMIT kind...])                       further products: image, mog, opencl, cuda, cpp
#
# Makes the target NAME, which is part of `all`: the executable mog/NAME in the current binary folder, compiled by mogcc. It runs by itself,
# and mogrun and mog_program_open() run it too: $<TARGET_PROPERTY:NAME,MOG_PROGRAM> is its path. Objects depend on the headers that they
# include.
#
# Machine code for NVIDIA's GPUs, which saves users NVRTC: OPTIONS -O2 --device=cuda, where nvcc is.
#
# With DEVICE opencl or cuda what OPTIONS would have compiled for the device `host` (--build-time) is left out, and the interpreter's
# source is written too: mog/NAME.cl or mog/NAME.cu. The executable runs on every device all the same. EMIT image gives
# mog/NAME.image, mog mog/NAME.mog, cpp mog/NAME.cpp.
#
#   mog_link_program(TARGET NAME)
#
# Puts the program NAME into TARGET, an executable or library of the host in C or C++, which finds it by MOG_DECLARE_LINKED(NAME) and
# MOG_LINKED(NAME) of mog.h. NAME is a C identifier then, and in the same folder as TARGET.
include_guard(GLOBAL)
# Of depfiles that is what a project of any age gets.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

function(mog_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DEVICE" "SOURCES;OPTIONS;DEFINITIONS;INCLUDE_DIRECTORIES;LIBRARIES;EMIT")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mog_add_program(${name}): \"${arg_UNPARSED_ARGUMENTS}\" is none of SOURCES, DEVICE, OPTIONS, DEFINITIONS, "
      "INCLUDE_DIRECTORIES, LIBRARIES, EMIT")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "mog_add_program(${name}): SOURCES are missing")
  endif()
  if(NOT arg_DEVICE)
    set(arg_DEVICE all)
  endif()
  if(NOT arg_DEVICE MATCHES "^(all|host|opencl|cuda)$")
    message(FATAL_ERROR "mog_add_program(${name}): DEVICE \"${arg_DEVICE}\" is none of all, host, opencl, cuda")
  endif()
  if(NOT DEFINED arg_OPTIONS)
    set(arg_OPTIONS -O2)
  endif()
  set(compiler "${MOG_MOGCC}")
  if(arg_DEVICE MATCHES "^(opencl|cuda)$")
    set(compiler "${CMAKE_COMMAND}" -E env MOG_CXX= "${MOG_MOGCC}")
    list(APPEND arg_EMIT ${arg_DEVICE})
  endif()

  set(compile_options ${arg_OPTIONS})
  foreach(definition IN LISTS arg_DEFINITIONS)
    list(APPEND compile_options "-D${definition}")
  endforeach()
  foreach(folder IN LISTS arg_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND compile_options "-I${folder}")
  endforeach()

  # Of each source an object, so that a change compiles what it concerns.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/mog/${name}.objects")
  file(MAKE_DIRECTORY "${folder}")
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    string(MAKE_C_IDENTIFIER "${source}" identifier)
    set(object "${folder}/${identifier}.o")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${MOG_MOGCC}" ${compile_options} -MD -MQ "${object}" -MF "${object}.d" -c "${path}" -o "${object}"
      DEPENDS "${path}" "${MOG_MOGCC}"
      DEPFILE "${object}.d"
      COMMENT "Compiling ${source} for PEs"
      VERBATIM)
    list(APPEND objects "${object}")
  endforeach()

  set(link ${arg_OPTIONS} ${objects} ${arg_LIBRARIES})
  # Not right in the binary folder: there a target's name is a file's for Ninja and make.
  set(program "${CMAKE_CURRENT_BINARY_DIR}/mog/${name}")
  add_custom_command(
    OUTPUT "${program}"
    COMMAND ${compiler} ${link} -o "${program}"
    DEPENDS ${objects} "${MOG_MOGCC}"
    COMMENT "Linking the program ${name} for PEs"
    VERBATIM)
  set(products "${program}")
  list(REMOVE_DUPLICATES arg_EMIT)
  foreach(kind IN LISTS arg_EMIT)
    set(from_program FALSE)
    if(kind STREQUAL "opencl")
      set(suffix cl)
    elseif(kind STREQUAL "cuda")
      set(suffix cu)
    elseif(kind MATCHES "^(image|mog|cpp)$")
      set(suffix ${kind})
    else()
      message(FATAL_ERROR "mog_add_program(${name}): EMIT \"${kind}\" is none of image, mog, opencl, cuda, cpp")
    endif()
    set(product "${program}.${suffix}")
    # An image has all that the executable has; of the rest mogas writes each.
    if(kind STREQUAL "image")
      add_custom_command(
        OUTPUT "${product}"
        COMMAND ${compiler} ${link} --emit=image -o "${product}"
        DEPENDS ${objects} "${MOG_MOGCC}"
        COMMENT "Writing ${name}.${suffix}"
        VERBATIM)
    else()
      add_custom_command(
        OUTPUT "${product}"
        COMMAND "${MOG_MOGAS}" "--emit=${kind}" "${program}" -o "${product}"
        DEPENDS "${program}" "${MOG_MOGAS}"
        COMMENT "Writing ${name}.${suffix}"
        VERBATIM)
    endif()
    list(APPEND products "${product}")
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${products})
  set_target_properties(${name} PROPERTIES MOG_PROGRAM "${program}" MOG_DEVICE "${arg_DEVICE}" MOG_PRODUCTS "${products}")
endfunction()

function(mog_link_program target name)
  if(NOT TARGET ${name})
    message(FATAL_ERROR "mog_link_program(${target} ${name}): mog_add_program() has made no ${name}")
  endif()
  get_target_property(program ${name} MOG_PROGRAM)
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z_0-9]*$")
    message(FATAL_ERROR "mog_link_program(${target} ${name}): \"${name}\" is not a C identifier")
  endif()
  # The assembler of the host's compiler reads the file in.
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_linked.c")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
/* @name@_linked.c: the program @name@, as mog_link_program() puts it into the target @target@. Generated. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        ".globl mog_linked_@name@, mog_linked_@name@_end\n"
        "mog_linked_@name@:\n"
        ".incbin \"@program@\"\n"
        "mog_linked_@name@_end:\n"
        ".byte 0\n"
        ".previous\n");
]])
  set_source_files_properties("${source}" PROPERTIES LANGUAGE C OBJECT_DEPENDS "${program}")
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "mog_link_program(${target} ${name}): enable C, as in project(... LANGUAGES C CXX)")
  endif()
  target_sources(${target} PRIVATE "${source}")
  add_dependencies(${target} ${name})
endfunction()
cmake_policy(POP)

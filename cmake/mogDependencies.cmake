# mogDependencies.cmake: what a package for Debian depends on, found by dpkg-shlibdeps for the programs and shared libraries in it. cpack runs
# this before it makes a package (CPACK_PRE_BUILD_SCRIPTS).
#
# CPACK_DEBIAN_PACKAGE_SHLIBDEPS says the same, but starts two programs for each of more than a thousand files, to hear that it is a header.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(shlibdeps dpkg-shlibdeps)
if(NOT shlibdeps)
  message(WARNING "There is no dpkg-shlibdeps (dpkg-dev), so the package will not say which libraries it wants")
  return()
endif()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${CPACK_TEMPORARY_DIRECTORY}" "${CPACK_TEMPORARY_DIRECTORY}/*")
set(programs)
foreach(file IN LISTS files)
  if(NOT IS_SYMLINK "${CPACK_TEMPORARY_DIRECTORY}/${file}")
    file(READ "${CPACK_TEMPORARY_DIRECTORY}/${file}" head LIMIT 18 HEX)
    if(head MATCHES "^7f454c46.*(02|03)00$")  # ELF: what can be executed, or is shared
      list(APPEND programs "${file}")
    endif()
  endif()
endforeach()

# It wants to stand in the source of a package, and to find one being made.
file(WRITE "${CPACK_TEMPORARY_DIRECTORY}/debian/control" "")
file(MAKE_DIRECTORY "${CPACK_TEMPORARY_DIRECTORY}/DEBIAN")
execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${shlibdeps}" --ignore-missing-info -O ${programs}
  WORKING_DIRECTORY "${CPACK_TEMPORARY_DIRECTORY}"
  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE noise RESULT_VARIABLE failed)
file(REMOVE_RECURSE "${CPACK_TEMPORARY_DIRECTORY}/debian" "${CPACK_TEMPORARY_DIRECTORY}/DEBIAN")
if(failed OR NOT found MATCHES "Depends=(.+)$")
  message(FATAL_ERROR "dpkg-shlibdeps does not say what the package depends on: ${noise}")
endif()
string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")

# Packages of an installation, for Debian and as a tarball: cpack --config build/CPackConfig.cmake [-G DEB|TGZ].

# Newlib's notices have to go with what contains newlib. The source is where scripts/build-sysroot takes it.
set(copyright "${PROJECT_BINARY_DIR}/package/copyright")
set(newlib "$ENV{MOG_NEWLIB}")
if(NOT newlib)
  file(GLOB tarballs /usr/src/newlib/newlib-*.tar.xz)
  if(tarballs)
    list(SORT tarballs COMPARE NATURAL)
    list(GET tarballs -1 newlib)
  endif()
endif()
if(newlib AND NOT EXISTS "${copyright}")
  file(ARCHIVE_EXTRACT INPUT "${newlib}" DESTINATION "${PROJECT_BINARY_DIR}/package" PATTERNS "*/COPYING.NEWLIB")
  file(GLOB notices "${PROJECT_BINARY_DIR}/package/*/COPYING.NEWLIB")
  file(READ "${PROJECT_SOURCE_DIR}/LICENSE" text)
  file(READ "${notices}" notices)
  file(WRITE "${copyright}" "${text}\n\
The tools contain fmt (MIT licence), nlohmann-json (MIT licence), CLI11 (three-clause BSD licence) and asmjit (zlib licence).\n\
The C library for PEs, in lib/mog/sysroot, is newlib's, with parts of MOG and, in programs that are linked with it, of libgcc\n\
(GPL 3 with the runtime library exception). Newlib's notices:\n\n${notices}")
endif()
install(FILES "${copyright}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
install(FILES README.md CHANGELOG.md SECURITY.md CONTRIBUTING.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR "The MOG authors")
set(CPACK_PACKAGE_CONTACT "The MOG authors")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "run ordinary C programs as thousands of instances on a GPU")
set(CPACK_PACKAGE_DESCRIPTION "MOG compiles C and C++ with gcc's options, and runs the program as thousands of independent\n\
instances, each with its own memory, control flow and files, by OpenCL, CUDA or on the CPU.\n\
They may be the ranks of an MPI program.")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_NAME mog)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/mogDependencies.cmake")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc-mipsel-linux-gnu")     # and what is found
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++-mipsel-linux-gnu, g++")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang, gcc-12-source, pocl-opencl-icd, gdb-multiarch")
include(CPack)

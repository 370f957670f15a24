# A project of CMake's, as it is, with MOG's toolchain file. It runs status.c of tests/mogcc/package while it is configured.
PATH=$(dirname "$MOGCC"):$PATH
toolchain=-DCMAKE_TOOLCHAIN_FILE=$BUILD/cmake/mog.cmake
"$CMAKE" "$toolchain" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS=$search" "-DCMAKE_CXX_FLAGS=$search" "-DCMAKE_INSTALL_PREFIX=$PWD/installed" -Wno-dev -S "$SOURCE/tests/mogcc/package" -B build >out 2>err ||
    { cat out err >&2; fail CMake; }
has out "epoll '', strlcpy '1', pointer '4', status '7', said 'said', unix 'TRUE', zlib 'FALSE', MPI '3.1', starts with '$BUILD/bin/mogmpiexec', maths '$BUILD/sysroot/lib/libm.a'"
"$CMAKE" --build build >out 2>err || { cat out err >&2; fail "the build"; }
(cd build && "$(dirname "$CMAKE")/ctest" --output-on-failure) >out || { cat out >&2; fail "its tests"; }
has out '0 tests failed out of 2'
"$CMAKE" --install build --strip >out
same "$(installed/bin/hello)" "hello 5, 2 threads, 1 PE"
# Another project finds it where it was installed.
mkdir user
cat >user/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(greet REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE greet::greet)
C
printf '#include <greet.h>\nint main(void) { return greet()[0]; }\n' >user/user.c
"$CMAKE" "$toolchain" "-DCMAKE_PREFIX_PATH=$PWD/installed" -S user -B second >out 2>err || { cat out err >&2; fail "find_package(greet)"; }
"$CMAKE" --build second >out 2>err || { cat out err >&2; fail "the build of the second"; }
status 104 second/user
# A copy of it finds nothing, and says so.
cp "$BUILD/cmake/mog.cmake" .
status 1 "$CMAKE" "-DCMAKE_TOOLCHAIN_FILE=$PWD/mog.cmake" -S user -B third
has err 'is not where MOG was installed or built'

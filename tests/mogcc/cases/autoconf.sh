# A package of autoconf, automake and libtool, as it is: CC=mogcc CXX=mogc++ ./configure && make. Programs of configure's run, for an executable
# of mogcc runs by itself.
command -v autoreconf >/dev/null && command -v libtoolize >/dev/null || skip "no autoconf, automake and libtool"
for file in configure.ac Makefile.am greet.h greet.c hello.c more.cc ring.c; do cp "$SOURCE/tests/mogcc/package/$file" .; done
autoreconf -i >out 2>&1 || { cat out >&2; fail autoreconf; }
PATH=$(dirname "$MOGCC"):$PATH
CC="mogcc $search" CXX="mogc++ $search" ./configure --prefix="$PWD/installed" >out 2>err || { cat out err >&2; fail configure; }
has out 'checking for strlcpy... yes'
has out 'checking for epoll_create... no'
has out 'checking for sys/epoll.h... no'
has out 'checking size of void *... 4'
has out 'checking for mogcc'
has config.h '#define RUNS 1'
make -s >out 2>err || { cat out err >&2; fail make; }
make -s check >out 2>err || { cat out err >&2; fail "make check"; }
make -s install STRIP=mogstrip STRIPPROG=mogstrip INSTALL_PROGRAM="$PWD/install-sh -c -s" >out 2>err || { cat out err >&2; fail "make install"; }
same "$(installed/bin/hello)" "hello 5, 2 threads, 1 PE"
[ "$(wc -c <installed/bin/hello)" -lt "$(wc -c <hello)" ] || fail "it was not stripped"
# What was installed is for other programs.
printf '#include <greet.h>\nint main(void) { return greet()[0]; }\n' >user.c
mogcc user.c -Iinstalled/include -Linstalled/lib -lgreet
status 104 ./a.out

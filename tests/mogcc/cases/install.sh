# An installation works by itself, and still does when its folder is moved.
"$CMAKE" --install "$BUILD" --prefix "$PWD/first" >/dev/null
mv first second
hello
second/bin/mogcc -O2 hello.c -o prog
same "$(./prog)" "hello, 42"
status 0 second/bin/mogcc -### hello.c
lacks err "$BUILD"
printf 'include second/share/mog/Makefile.inc\n' >Makefile
make -s hello
same "$(./hello)" "hello, 42"
"$CMAKE" -P "$(find second -name mog.cmake)"     # it finds the tools, or fails
exists second/share/meson/cross/mog
echo 'int one(void) { return 1; }' >one.c
second/bin/mogcc -c one.c
second/bin/mogar rcs libone.a one.o
same "$(second/bin/mogmpiexec -n 1 ./prog)" "hello, 42"

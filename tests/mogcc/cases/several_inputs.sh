# C, preprocessed and plain assembly, an object and an archive in one program.
cat >main.c <<'EOF'
#include <stdio.h>
int plain(void), preprocessed(void), object(void), archived(void);
int main(void) { printf("%d\n", plain() + preprocessed() + object() + archived()); }
EOF
printf '\t.globl plain\nplain:\n\tli $2,1\n\tjr $31\n' >a.s
printf '#define VALUE 20\n\t.globl preprocessed\npreprocessed:\n\tli $2,VALUE\n\tjr $31\n' >b.S
echo 'int object(void) { return 300; }' >c.c
echo 'int archived(void) { return 4000; }' >d.c
mogcc -c c.c d.c
mipsel-linux-gnu-ar rc libd.a d.o
mogcc main.c a.s b.S c.o libd.a -o prog
same "$(./prog)" 4321

# Sources are compiled at the same time, if there is more than one processor: none of these compilations ends before another one has begun.
mkdir bin
cat >bin/mipsel-linux-gnu-gcc <<'EOF2'
#!/bin/sh
for word; do [ "$word" = -c ] && compiles=yes; [ "${word##*.}" = c ] && source=$word; done
if [ "${compiles:-}" ]; then
    : >"begun.$source"
    tries=0
    until [ "$(ls begun.* | wc -l)" -gt 1 ] || [ "$(nproc)" = 1 ]; do
        sleep 0.1
        [ $((tries += 1)) -lt 200 ] || exit 1
    done
fi
exec "$REAL" "$@"
EOF2
chmod +x bin/mipsel-linux-gnu-gcc
REAL=$(command -v mipsel-linux-gnu-gcc)
export REAL
echo 'int twice(int x) { return 2 * x; }' >twice.c
printf '#include <stdio.h>\nint twice(int);\nint main(void) { printf("%%d\\n", twice(21)); }\n' >main.c
PATH=$PWD/bin:$PATH mogcc -O2 main.c twice.c -o prog
same "$(./prog)" 42

# What they say comes in the order of the sources, each as a whole; nothing is linked then. The linker names objects by their sources.
echo 'int first(void) { return one; }' >first.c
echo 'int second(void) { return two; }' >second.c
status 1 mogcc first.c main.c second.c -o wrong
absent wrong
same "$(grep -o "'one' undeclared\|'two' undeclared" err | tr '\n' ' ')" "'one' undeclared 'two' undeclared "
echo 'int other(void); int twice(int x) { return x * other(); }' >other.c
status 1 mogcc main.c other.c -o wrong
has err "other-"
has err "undefined reference to \`other'"

# In C++ and C; and with words that are about all sources.
echo 'extern "C" int twice(int x) { return 2 * x; }' >twice.cc
mogcc main.c twice.cc -o prog
same "$(./prog)" 42
mogcc -x c++ main.c -x none twice.cc -o prog 2>err && fail "twice() in C++ is another one"
mogcc -MD main.c twice.c -o prog
same "$(./prog)" 42
exists prog.d

# Standard output is buffered in full where it is a file or a pipe, and by lines on a terminal, as with glibc: one write for all lines, or
# one for each.
export MOG_CXX=
command -v script >/dev/null || skip "there is no script(1)"
cat >x.c <<'EOF2'
#include <stdio.h>
int main(void) { return puts("one") < 0 || puts("two") < 0 || puts("three") < 0; }
EOF2
mogcc x.c -o prog
writes() { grep -c 'write(1,' "$1"; }
status 0 "$BUILD/bin/mogrun" -n 1 --device=reference --strace ./prog
same "$(cat out)" "$(printf 'one\ntwo\nthree')"
same "$(writes err)" 1
status 0 script -qec "$BUILD/bin/mogrun -n 1 --device=reference --strace ./prog 2>calls" /dev/null
same "$(writes calls)" 3
# What a program has printed and not yet flushed when it is killed is lost, as elsewhere.
cat >y.c <<'EOF2'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    puts("kept");
    if (argc > 1) fflush(stdout);
    abort();
}
EOF2
mogcc y.c -o dies
status 134 "$BUILD/bin/mogrun" -n 1 --device=reference ./dies
same "$(cat out)" ""
status 134 "$BUILD/bin/mogrun" -n 1 --device=reference ./dies flush
same "$(cat out)" kept

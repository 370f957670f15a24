# Makefiles strip: -s makes a program without names and lines. The system's strip leaves the program in the file. The translator needs what ld and
# strip throw away, and says so where it is gone.
export MOG_CXX=
cat >x.c <<'EOF'
#include <stdio.h>
int *nowhere;
__attribute__((noinline)) int finds_nothing(int *p) { return *p; }
int main(void) { puts("begins"); fflush(stdout); return finds_nothing(nowhere); }
EOF
export MOG_DEVICE=reference
mogcc -g x.c -o full
status 139 ./full
has err 'in finds_nothing at'
for option in -s -Wl,-s -Wl,-Map=map,--strip-all,--defsym=two=2 "-Xlinker --strip-all"; do
    mogcc -g $option x.c -o prog
    status 139 ./prog
    same "$(cat out)" begins
    has err 'null pointer'
    lacks err finds_nothing
    lacks prog finds_nothing
    lacks prog x.c:
done
has map 'Linker script and memory map'
# The MIPS program keeps what the translator wants.
mogcc -s --emit=elf x.c -o x.elf
"$BUILD/bin/mogtr" x.elf -o x.mog
mipsel-linux-gnu-strip x.elf -o stripped.elf
status 1 "$BUILD/bin/mogtr" stripped.elf
has err 'mogtr: stripped.elf: it is stripped: the relocations that MOG needs went with its symbols'
status 1 mogcc x.elf
has err 'x.elf is a linked program already'
for option in --strip-all --strip-debug --strip-unneeded; do
    strip $option full -o stripped
    status 139 ./stripped
    same "$(cat out)" begins
    has err 'in finds_nothing at'
    status 139 "$BUILD/bin/mogrun" -n 1 stripped
    has err 'in finds_nothing at'
done
"$BUILD/bin/mogstrip" stripped
status 139 ./stripped
lacks err finds_nothing
[ "$(stat -c %s stripped)" -lt "$(stat -c %s full)" ] || fail "mogstrip has left the old program in the file"
strip stripped
objcopy --remove-section=.mog.image stripped
status 1 "$BUILD/bin/mogrun" stripped
has err 'or a MOG one that is damaged'
status 1 ./stripped
has err 'this program file is damaged'
# Questions have answers beside files too.
for question in -dumpmachine -dumpversion -print-multiarch; do
    status 0 mogcc $question x.c -o asked
    same "$(cat out)" "$(mipsel-linux-gnu-gcc $question)"
    absent asked
done

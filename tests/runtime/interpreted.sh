#!/bin/sh
# interpreted.sh MOGCC MOGRUN: --stats says what part of a program was interpreted and in which function, and it is what was not compiled.
set -eu
mogcc=$1 mogrun=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "interpreted.sh: $*" >&2; exit 1; }

# An estimate takes light() for what is executed most; in fact it is heavy(), which goes round as often as it is told.
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static volatile unsigned sink;
__attribute__((noinline)) void light(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned k = 0; k < n; k++) sink += i ^ j ^ k;
}
__attribute__((noinline)) void heavy(unsigned n) {
    if (n == 0) return;
    unsigned a = n;
    a = a * 3 + 1; a ^= a >> 3; a = a * 5 + 7; a ^= a >> 5; a = a * 9 + 11; a ^= a >> 7;
    sink += a;
    heavy((n - 1) / 2);
    heavy((n - 1) / 2);
}
int main(int argc, char **argv) {
    light(atoi(argv[1]));
    heavy(atoi(argv[2]));
    printf("%u\n", sink);
}
END
# On other processors what mogcc did not compile is interpreted.
export MOG_NATIVE=none
MOG_COMPILER_SPEED=1 "$mogcc" -O1 --build-time=0.03 --order-time=0 --simd=none program.c -o some
"$mogcc" -O1 --build-time=all --order-time=0 --simd=none program.c -o all
share() { sed -n 's/.*"interpreted":{"samples":[1-9][0-9]*,"share":\([0-9.e-]*\),.*/\1/p' "$1"; }
for device in host opencl; do
    "$mogrun" --list-devices | grep -q "^$device" || continue
    "$mogrun" --device=$device --engine=blocks --stats=json some 60 2000000 >some.$device 2>stats
    [ "$(share stats)" ] || fail "$device: no share in $(cat stats)"
    awk "BEGIN { exit !($(share stats) > 0.5) }" || fail "$device: only $(share stats) interpreted"
    grep -q '"functions":\[{"name":"heavy"' stats || fail "$device: not most in heavy(): $(cat stats)"
done
"$mogrun" --device=host --engine=blocks --stats some 60 2000000 2>stats >/dev/null
grep -q '^  interpreted  *[0-9.]* % of the instructions, by [0-9]* samples: heavy ' stats || fail "text: $(cat stats)"
grep -q 'mogcc --build-time=all compiles' stats || fail "nothing is said about how there would be less: $(cat stats)"
"$mogrun" --device=host --stats=json all 60 2000000 2>stats | cmp - some.host
awk "BEGIN { exit !($(share stats) < 0.05) }" || fail "of a program that is compiled, $(share stats) is interpreted"
"$mogrun" --device=host --engine=switch --stats=json all 60 100 2>stats >/dev/null
grep -q '"interpreted"' stats && fail "an engine without blocks has a share"
# Elsewhere it is compiled while it runs, and nearly nothing is interpreted.
unset MOG_NATIVE
"$mogcc" -O1 --order-time=0 --simd=none program.c -o later
"$mogrun" --device=host --stats=json later 60 2000000 2>stats | cmp - some.host
if grep -q '"compiled_while_running":{"functions":[1-9]' stats; then
    awk "BEGIN { exit !($(share stats) < 0.05) }" || fail "$(share stats) is interpreted of what is compiled while it runs"
    MOG_NATIVE=none "$mogrun" --device=host --stats=json later 60 2000 2>stats >/dev/null
    grep -q compiled_while_running stats && fail "MOG_NATIVE=none compiles while it runs"
else
    grep -q '\<avx\>.*\<bmi2\>' /proc/cpuinfo && fail "nothing is compiled while it runs: $(cat stats)"
fi
# PEs that make system calls are seen between them, too.
cat >calls.c <<'END'
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline)) void work(void) { for (unsigned i = 0; i < 500; i++) sink += i; }
int main(void) { for (int i = 0; i < 3000; i++) { work(); getppid(); } }
END
"$mogcc" -O1 --order-time=0 --simd=none calls.c -o calls
"$mogrun" -n 8 --device=host --stats=json calls 2>stats
awk "BEGIN { exit !($(share stats) < 0.2) }" || fail "work() is compiled, and $(share stats) interpreted: $(cat stats)"

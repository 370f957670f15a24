# Lanes' variables are in registers in a copy of a loop for lanes that are together: compiled without -fcaller-saves they went through memory
# in each round, which was two to four times as slow.
unset MOG_SIMD
grep -qw avx512f /proc/cpuinfo || skip "this processor has no AVX-512"
cat >g++ <<'END'
#!/bin/sh
# g++, after which the object of the code for lanes is still there.
$COMPILER "$@" || exit
for word; do case $word in */lanes.o) cp "$word" "$KEPT" ;; esac; done
END
chmod +x g++
cat >taps.c <<'END'
#include <stdio.h>
static short samples[256], taps[16];
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 256; i++) samples[i] = (short)(i * 37);
    for (int i = 0; i < 16; i++) taps[i] = (short)(i * i);
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < 240; i++) {
            int y = round;
            for (int k = 0; k < 16; k++) y += samples[i + k] * taps[k] >> 4;
            sum ^= y;
        }
    printf("%d\n", sum);
    return 0;
}
END
COMPILER=$(command -v g++) KEPT=$PWD/kept.o MOG_CXX=$PWD/g++ mogcc -O2 --build-time=0.1 --simd=avx512 taps.c -o taps 2>/dev/null
objdump -d --no-show-raw-insn kept.o >code
products=$(grep -c 'vpmulld ' code) || fail "the code for lanes has no products"
in_memory=$(grep -c 'vpmulld .*(%r[bs]p)' code) || true
[ "$in_memory" = 0 ] || fail "of $products products $in_memory are of what lies on the stack"

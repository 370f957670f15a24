# --simd=avx512, avx2, portable: code for lanes, or a word about why there is none; and what mogrun says about it elsewhere.
unset MOG_SIMD
hello
# compiled_for SIMD FLAG TITLE: FLAG is what /proc/cpuinfo calls it.
compiled_for() {
    status 0 mogcc -O2 --build-time=0.1 --simd="$1" hello.c
    if grep -qw "$2" /proc/cpuinfo; then
        same "$(cat err)" ""
        same "$(MOG_DEVICE=host MOG_ENGINE=lanes ./a.out)" "hello, 42"
        same "$(MOG_SIMD=portable MOG_DEVICE=host ./a.out)" "hello, 42"
        MOG_SIMD=portable MOG_DEVICE=host MOG_ENGINE=lanes status 3 ./a.out
        has err "the program's code for lanes needs a processor with $3; --engine=blocks runs everywhere"
    else
        has err "warning: this processor has no $3"
    fi
}
compiled_for avx512 avx512vl AVX-512
compiled_for avx2 avx2 AVX2
status 0 mogcc -O2 --build-time=0.1 --simd=portable hello.c
same "$(cat err)" ""
same "$(MOG_DEVICE=host MOG_ENGINE=lanes ./a.out)" "hello, 42"
same "$(MOG_SIMD=portable MOG_DEVICE=host MOG_ENGINE=lanes ./a.out)" "hello, 42"
MOG_SIMD=none MOG_DEVICE=host MOG_ENGINE=lanes status 3 ./a.out
has err 'MOG_SIMD=none forbids lanes'
status 0 mogcc -O2 --build-time=0.1 --simd=none hello.c
MOG_DEVICE=host MOG_ENGINE=lanes status 3 ./a.out
has err 'the program has no code for lanes in it; compile it with mogcc --simd='
status 0 mogcc -O2 --build-time=0.1 --simd=portable --double=soft hello.c
has err 'warning: --simd=portable computes doubles natively, so with --double=soft there is no code for lanes'
cat >modes.c <<'END'
#include <fenv.h>
int main(void) { return fesetround(FE_DOWNWARD); }
END
status 0 mogcc -O2 --build-time=0.1 --simd=portable modes.c -lm
has err 'so there is no code for lanes'
same "$(wc -l <err)" 1

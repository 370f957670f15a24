# --simd=avx512: code for lanes, or a word about why there is none.
unset MOG_SIMD
hello
status 0 mogcc -O2 --simd=avx512 hello.c
if grep -qw avx512vl /proc/cpuinfo; then
    same "$(cat err)" ""
    same "$(MOG_DEVICE=host MOG_ENGINE=lanes ./a.out)" "hello, 42"
else
    has err 'warning: this processor has no AVX-512'
fi
status 0 mogcc -O2 --simd=avx512 --double=soft hello.c
has err 'warning: --simd=avx512 computes doubles natively, so with --double=soft there is no code for lanes'
cat >modes.c <<'END'
#include <fenv.h>
int main(void) { return fesetround(FE_DOWNWARD); }
END
status 0 mogcc -O2 --simd=avx512 modes.c -lm
has err 'so there is no code for lanes'
same "$(wc -l <err)" 1

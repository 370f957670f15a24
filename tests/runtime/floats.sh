#!/bin/sh
# floats.sh MOGCC MOGRUN SOURCES: --double on every device, and devices that lack what floats need. SOURCES is tests/programs.
#
# MOG_TEST_DEVICE_LACKS makes the runtime believe that an OpenCL device lacks fp64, denormals, rounding to nearest or exact division.
set -eu
mogcc=$1 mogrun=$2 sources=$3
mogcc() { "$mogcc" --build-time=0.1 --order-time=0.02 --simd=none "$@"; }     # blocks of every kind are in other tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAILED: $*"; exit 1; }
# same FILE COMMAND...: its output must be that of FILE.
same() { want=$1; shift; "$@" >got 2>err || { cat err; fail "$*"; }; cmp "$want" got || fail "$* differs"; }
# refused WORDS COMMAND...: it must end with status 3 and say WORDS.
refused() { words=$1; shift; status=0; "$@" >got 2>err || status=$?; [ $status -eq 3 ] || fail "status $status: $*"; grep -q "$words" err || { cat err; fail "$* does not say: $words"; }; }
says() { words=$1; shift; "$@" --stats prog >got 2>err || fail "$*"; grep -q "arithmetic *$words" err || { cat err; fail "$* --stats does not say: $words"; }; }

for name in double_values float_values; do
    mogcc -O2 "$sources/$name.c" -o "$name" -lm
    mogcc -O2 --double=soft "$sources/$name.c" -o "$name.soft" -lm
    "$mogrun" -n 1 --device=host "./$name" >"$name.out"
    same "$name.out" "$mogrun" -n 1 --device=reference --double=soft "./$name"
    same "$name.out" "$mogrun" -n 1 --device=host "./$name.soft"
done
ln -s double_values prog
says "floats native, doubles native" "$mogrun" -n 1 --device=host
says "floats native, doubles in software" "$mogrun" -n 1 --device=reference --double=soft
says "floats native, doubles by pairs of floats" "$mogrun" -n 1 --device=reference --double=pair
refused "mogcc --double=pair" "$mogrun" -n 1 --device=host --double=pair ./prog
rm prog && ln -s double_values.soft prog
says "floats native, doubles in software" "$mogrun" -n 1 --device=reference
says "floats native, doubles native" "$mogrun" -n 1 --device=reference --double=native
rm prog && ln -s double_values prog

# Pairs of floats: not the same bits, but the same numbers to 13 digits.
cat >near.c <<'C'
#include <math.h>
#include <stdio.h>
int main(void)
{
    double sum = 0;
    for (int i = 1; i < 200; i++) sum += sqrt(i) / (i * 1.1) + sin(i) * 1e-3;
    printf("%.12g %.10g %.17g\n", sum, exp(1.0) * 1e200, sum);
    return 0;
}
C
mogcc -O2 near.c -o near -lm
mogcc -O2 --double=pair near.c -o near.pair -lm
"$mogrun" -n 1 --device=reference ./near >exact
"$mogrun" -n 1 --device=reference --double=pair ./near >paired
same paired "$mogrun" -n 1 --device=host ./near.pair
[ "$(cut -d' ' -f1,2 exact)" = "$(cut -d' ' -f1,2 paired)" ] || { cat exact paired; fail "pairs of floats are too far away"; }
! cmp -s exact paired || fail "pairs of floats give all bits of doubles"

# A program that looks at FCSR has exceptions, which pairs have not.
cat >fenv.c <<'C'
#include <fenv.h>
int main(void) { volatile double one = 1, three = 3, r; r = one / three; (void)r; return fetestexcept(FE_INEXACT) == FE_INEXACT ? 0 : 1; }
C
mogcc -O2 fenv.c -o fenv -lm
refused "control register" "$mogrun" -n 1 --device=reference --double=pair ./fenv
rm prog && ln -s fenv prog
says "in software, with the rounding modes" "$mogrun" -n 1 --device=reference
rm prog && ln -s double_values prog

# The source for a device without doubles never says `double`.
for lack in "-DMOG_DOUBLE_SOFT" "-DMOG_DOUBLE_PAIR" "-DMOG_DOUBLE_SOFT -DMOG_FLOAT_SOFT -DMOG_DIVF_SOFT"; do
    mogcc -O2 --emit=opencl "$sources/double_values.c" -o - -lm >source.c
    # shellcheck disable=SC2086
    cpp -P -w $lack source.c >preprocessed
    ! grep -qw double preprocessed || fail "$lack: $(grep -w double preprocessed | head -n 3)"
    grep -q "soft_add" preprocessed
done

"$mogrun" --list-devices | grep -q '^opencl' || { echo "skipped: no OpenCL device"; exit 77; }
same double_values.out "$mogrun" -n 1 --device=opencl --double=soft ./double_values
same paired "$mogrun" -n 1 --device=opencl --double=pair ./near
for lacks in fp64 divide denormals "fp64,denormals,divide"; do
    export MOG_TEST_DEVICE_LACKS="$lacks"
    for name in double_values float_values; do same "$name.out" "$mogrun" -n 1 --device=opencl "./$name"; done
done
MOG_TEST_DEVICE_LACKS=fp64 says "floats native, doubles in software" "$mogrun" -n 1 --device=opencl
MOG_TEST_DEVICE_LACKS=denormals says "floats in software, doubles native" "$mogrun" -n 1 --device=opencl
MOG_TEST_DEVICE_LACKS=divide says "floats native, their division by doubles" "$mogrun" -n 1 --device=opencl
MOG_TEST_DEVICE_LACKS=fp64,divide says "floats native, their division in software, doubles in software" "$mogrun" -n 1 --device=opencl
MOG_TEST_DEVICE_LACKS=fp64 refused "has no doubles" "$mogrun" -n 1 --device=opencl --double=native ./prog
MOG_TEST_DEVICE_LACKS=denormals refused "not compute floats well enough" "$mogrun" -n 1 --device=opencl --double=pair ./prog
unset MOG_TEST_DEVICE_LACKS
echo "all agree"

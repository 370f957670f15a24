#!/bin/sh
# compiled_here.sh MOGCC MOGRUN PROGRAM.c...: PoCL runs in this process, so MOG compiles code here, for kernels to call. What runs, stops and is
# counted is as on the reference machine, wherever launches end.
set -eu
mogcc=$1 mogrun=$2
shift 2
"$mogrun" --list-devices | grep -q '^opencl.*Portable Computing Language' || { echo "no PoCL"; exit 77; }
[ "$(uname -m)" = x86_64 ] && grep -qw bmi2 /proc/cpuinfo || { echo "nothing is compiled for this processor"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "compiled_here.sh: $*" >&2; exit 1; }
MOG_CACHE_DIR=$work/cache POCL_CACHE_DIR=$work/pocl
export MOG_CACHE_DIR POCL_CACHE_DIR
mkdir "$work/cache" "$work/pocl"
number() { grep -o "\"$2\":[0-9]*" "$work/$1.json" | sed 's/.*://' | tail -1; }
compiled() { sed -n 's/.*"compiled_while_running":{[^}]*"functions":\([0-9]*\).*/\1/p' "$work/$1.json"; }
# run NAME DEVICE PROGRAM OPTION... : lines in the order of ranks, and the status, go to NAME.out, statistics to NAME.json.
run() {
    name=$1 device=$2 program=$3
    shift 3
    status=0
    "$mogrun" -n 3 --device="$device" --tag-output --stats=json "$@" "$program" >"$work/lines" 2>"$work/$name.json" || status=$?
    sort -s -t' ' -k1,1 "$work/lines" >"$work/$name.out"
    echo "$status" >>"$work/$name.out"
}
same() { cmp "$work/$1.out" "$work/$2.out" || fail "$3: it prints something else"; }
kernels() { find "$work/pocl" -name '*.so' | wc -l; }

printf 'int main(void) { return 0; }\n' >"$work/nothing.c"
"$mogcc" --order-time=0 --simd=none "$work/nothing.c" -o "$work/nothing"
"$mogrun" -n 3 --device=opencl "$work/nothing"
before=$(kernels)
for source in "$@"; do
    program=$work/$(basename "$source" .c)
    "$mogcc" -O2 --order-time=0 --simd=none "$source" -o "$program" -lm
    run expected reference "$program"
    run alone opencl "$program"
    same alone expected "$source"
    [ "$(compiled alone)" -gt 0 ] || fail "$source: nothing was compiled: $(cat "$work/alone.json")"
    grep -q '"tiers"' "$work/alone.json" && fail "$source: kernels are compiled as well: $(cat "$work/alone.json")"
    # PoCL's compiler is not asked for a program, only once for the interpreter.
    [ "$(kernels)" -eq "$before" ] || fail "$source: PoCL compiled something for it"
    for options in --slice=301 "--slice=5003 --count" "--slice=4001 --fuel=1G" "--engine=native --slice=701 --count"; do
        run here opencl "$program" $options
        same here expected "$source with $options"
        [ "$(compiled here)" -gt 0 ] || fail "$source with $options: nothing was compiled"
        case $options in *--count*)
            [ "$(number here mog_instructions)" = "$(number expected mog_instructions)" ] ||
                fail "$source with $options: $(number here mog_instructions) instructions, not $(number expected mog_instructions)" ;;
        esac
    done
    # Where words of several PEs lie side by side kernels are compiled.
    run warps opencl "$program" --warp=8
    same warps expected "$source with words of 8 PEs side by side"
    [ -z "$(compiled warps)" ] || fail "$source: what has words side by side was compiled here"
    before=$(kernels)
done
# PEs end where their fuel does.
run starved opencl "$program" --slice=50 --fuel=3000 --engine=native
run starved_expected reference "$program" --slice=50 --fuel=3000
same starved starved_expected "without fuel"

# Faults are told as everywhere, at their instruction.
cat >"$work/fault.c" <<'END'
#include <mog.h>
__attribute__((noinline)) int sum(const volatile int *p, int n) { return n == 0 ? 0 : *p + sum(p + 1, n - 1); }
int main(void) { static volatile int a[4000]; return sum(IPROC == 1 ? a + 100000000 : a, 4000); }
END
"$mogcc" -g -O1 --order-time=0 --simd=none "$work/fault.c" -o "$work/fault"
"$mogrun" -n 2 --device=reference "$work/fault" 2>"$work/fault.expected" && fail "nothing is wrong"
grep -q 'fault.c:2' "$work/fault.expected" || fail "where the fault is: $(cat "$work/fault.expected")"
"$mogrun" -n 2 --device=opencl --engine=native "$work/fault" 2>"$work/fault.here" && fail "nothing is wrong in code compiled here"
cmp "$work/fault.expected" "$work/fault.here" || fail "a fault is told otherwise: $(cat "$work/fault.here")"

# Calls that concern nobody but their PE end no launch, and constants that all PEs have once are there for the interpreter and for code.
cat >"$work/calls.c" <<'END'
#include <mog.h>
#include <stdio.h>
#include <unistd.h>
const int table[8192] = {1, 5, [37] = 11, [74] = 3, [8191] = 3};
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += (getppid() >= 0) + table[(i * 37 + IPROC) & 8191];
    printf("%d\n", sum);
    return 0;
}
END
"$mogcc" -O1 --order-time=0 --simd=none "$work/calls.c" -o "$work/calls"
run expected reference "$work/calls"
for options in "" "--slice=301" "--engine=native"; do
    run here opencl "$work/calls" $options
    same here expected "calls with $options"
    [ "$(compiled here)" -gt 0 ] || fail "calls with $options: nothing was compiled"
    [ "$(number here constants)" -ge 32768 ] || fail "calls: constants are not apart: $(cat "$work/here.json")"
done
[ "$(number here slices)" -lt 200 ] || fail "1000 calls took $(number here slices) launches"

# What cannot be had is refused, and what is not wanted is not done.
if "$mogrun" -n 3 --device=opencl --engine=native --warp=8 "$program" 2>"$work/refused"; then fail "--engine=native serves --warp"; fi
grep -q -- '--engine=native: .*--engine=blocks' "$work/refused" || fail "refused by $(cat "$work/refused")"
for setting in MOG_NATIVE=none MOG_TIERS=none; do
    (export "$setting"; run without opencl "$program")
    [ -z "$(compiled without)" ] || fail "with $setting it was compiled here"
done
exit 0

#!/bin/sh
# tiers.sh MOGCC MOGRUN: where MOG's own compiler does not serve, kernels change while a program runs, for ones with what is executed most compiled; what it prints stays the same,
# wherever launches end, and the next run begins with what this one has found.
set -eu
mogcc=$1 mogrun=$2
"$mogrun" --list-devices | grep -q '^opencl' || { echo "no OpenCL device"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "tiers.sh: $*" >&2; exit 1; }
fresh() { rm -rf cache && mkdir cache; }
MOG_CACHE_DIR=$work/cache MOG_NATIVE=none
export MOG_CACHE_DIR MOG_NATIVE

# What an estimate takes for hot is light(); in fact it is heavy() and what qsort() calls, as often as it is told.
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <mog.h>
#define MANY 16
static volatile unsigned sink;
__attribute__((noinline)) void light(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) sink += i ^ j;
}
__attribute__((noinline)) void heavy(unsigned n) {
    if (n == 0) return;
    unsigned a = n + IPROC;
    a = a * 3 + 1; a ^= a >> 3; a = a * 5 + 7; a ^= a >> 5;
    sink += a;
    heavy((n - 1) / 2);
    heavy((n - 1) / 2);
}
static int compare(const void *a, const void *b) { return *(const unsigned *)a < *(const unsigned *)b ? -1 : 1; }
int main(int argc, char **argv) {
    static unsigned numbers[MANY];
    light(atoi(argv[1]));
    for (int round = atoi(argv[3]); round > 0; round--) {
        heavy(atoi(argv[2]));
        for (int i = 0; i < MANY; i++) numbers[i] = (i * 2654435761u) ^ (sink + round);
        qsort(numbers, MANY, sizeof *numbers, compare);
        sink += numbers[round % MANY];
        if (round % 1000 == 0) printf("%d %u\n", round, sink);
    }
    printf("%g\n", sink / 7.0);
    return sink % 100;
}
END
"$mogcc" -O1 --order-time=0 --simd=none program.c -o program
# run NAME OPTION... : three PEs; what they print and the statuses go to NAME.out, statistics to NAME.json.
run() {
    name=$1
    shift
    status=0
    "$mogrun" -n 3 --device=opencl --tag-output --stats=json "$@" ./program $arguments >"$name.out" 2>"$name.json" || status=$?
    sort -s -t' ' -k1,1 "$name.out" >"$name.sorted"
    echo "$status" >>"$name.sorted"
    sed -n 's/.*"ranks_by_status":\({[^}]*}\).*/\1/p' "$name.json" >>"$name.sorted"
}
same() { cmp "$1.sorted" expected.sorted || fail "$2: it prints something else"; }
number() { grep -o "\"$2\":[0-9]*" "$1.json" | sed 's/.*://'; }
kernels() { grep -o '"begins":' "$1.json" | wc -l; }
last_share() { grep -o '"sampled":[a-z]*,"interpreted":[0-9.e-]*' "$1.json" | sed -n '$s/.*://p'; }

# A run begins with an interpreter that serves any program: what PoCL has compiled for one, it need not compile for the next, whatever that
# computes with. Programs that use the FPU's control register have one of their own.
cat >other.c <<'END'
#include <stdio.h>
#include <mog.h>
#ifdef CONTROL
#include <fenv.h>
#endif
int main(void) {
    volatile double third = 1;
#ifdef CONTROL
    fesetround(FE_UPWARD);
#endif
    third /= 3;
    printf("%d %.20g %d\n", IPROC, third, (int)(third * 1e6f) % 7);
    return 3;
}
END
"$mogcc" -O1 --order-time=0 --simd=none other.c -o other
"$mogcc" -O1 --order-time=0 --simd=none -DCONTROL other.c -o control -lm
kernel_files() { find pocl -name '*.so' | wc -l; }
mkdir pocl
serves() { # NAME RESULT
    POCL_CACHE_DIR=$work/pocl "$mogrun" -n 2 --device=opencl --stats "./$1" >any.out 2>any.stats || true
    grep -q 'engine  *OpenCL kernel of any program, switch' any.stats || fail "$1 does not begin with an interpreter of any program: $(cat any.stats)"
    printf '0 %s\n1 %s\n' "$2" "$2" | cmp - any.out || fail "$1 prints $(cat any.out)"
}
printf 'int main(void) { return 0; }\n' >nothing.c
"$mogcc" --order-time=0 --simd=none nothing.c -o nothing
POCL_CACHE_DIR=$work/pocl "$mogrun" -n 2 --device=opencl ./nothing
before=$(kernel_files)
serves other "0.33333333333333331483 0"
[ "$(kernel_files)" -eq "$before" ] || fail "PoCL compiled something for another program: $(find pocl -name '*.so')"
serves control "0.33333333333333337034 0"
[ "$before" -eq 0 ] || [ "$(kernel_files)" -gt "$before" ] || fail "the FPU's control register is served by the same interpreter"

# By itself: the run has to last longer than building takes. It is not known how fast the machine is, so it is made longer until it does.
# The last kernel has both functions compiled.
arguments="20 400 40000"
for attempt in 1 2 3 4 5; do
    fresh
    run long
    [ "$(kernels long)" -ge 2 ] && awk "BEGIN { exit !($(last_share long) < 0.1) }" && break
    arguments="20 400 $((40000 << attempt))"
done
[ "$(kernels long)" -ge 2 ] || fail "heavy() is not compiled after $(sed -n 's/.*"run_seconds":\([0-9.]*\).*/\1/p' long.json) s: $(cat long.json)"
grep -q '"tiers":{"remembered":false,"kernels":\[{"begins":0.0,"build_seconds":[0-9.e-]*,"functions":0,' long.json ||
    fail "the first kernel has something compiled: $(cat long.json)"
awk "BEGIN { exit !($(last_share long) < 0.1) }" || fail "the last kernel interprets $(last_share long): $(cat long.json)"
# The next run begins with it.
run again
grep -q '"tiers":{"remembered":true,' again.json || fail "nothing was remembered: $(cat again.json)"
awk "BEGIN { exit !($(number again functions | head -1) > 0) }" || fail "the next run begins with nothing compiled: $(cat again.json)"
cmp long.sorted again.sorted || fail "the run that begins with compiled code prints something else"
"$mogrun" -n 3 --device=opencl --stats ./program 20 400 2000 2>text >/dev/null || true
grep -q '^  kernels  *[0-9]* functions* of [0-9]* MOG instructions, [0-9.]* % interpreted, as earlier runs have found' text ||
    fail "text: $(cat text)"

# From here on kernels change as soon as a sample is there, and launches are short.
arguments="2 7 2"
MOG_TIERS=none run expected
grep -q '"tiers"' expected.json && fail "MOG_TIERS=none has tiers"
MOG_TEST_TIERS=now
export MOG_TEST_TIERS
counted=
for options in "--slice=3" "--slice=7 --count" "--slice=31 --fuel=1G" "--slice=11 --count --warp=8" "--slice=50 --count"; do
    fresh
    run short $options
    same short "with $options"
    [ "$(kernels short)" -ge 2 ] || fail "with $options no kernel changed: $(cat short.json)"
    case $options in *--count*)
        [ -z "$counted" ] || [ "$counted" = "$(number short mog_instructions | tail -1)" ] ||
            fail "with $options $(number short mog_instructions | tail -1) instructions, not $counted"
        counted=$(number short mog_instructions | tail -1) ;;
    esac
done
# So many as the reference machine counts.
"$mogrun" -n 3 --device=reference --stats=json ./program $arguments 2>reference.json >reference.out || true
[ "$(number reference mog_instructions | tail -1)" = "$counted" ] || fail "$counted instructions, the reference machine has others"
# PEs end where their fuel does.
fresh
run starved --slice=5 --fuel=3000
MOG_TIERS=none run starved_expected --slice=5 --fuel=3000
[ "$(kernels starved)" -ge 2 ] || fail "with --fuel no kernel changed"
cmp starved.sorted starved_expected.sorted || fail "PEs without fuel end otherwise"
# One of several devices.
fresh
"$mogrun" -n 3 --device=host=1,opencl:0=2 --slice=20 --tag-output --stats=json ./program $arguments >several.out 2>several.json || true
sort -s -t' ' -k1,1 several.out >several.sorted
sort -s -t' ' -k1,1 expected.out | cmp - several.sorted || fail "on several devices it prints something else"
[ "$(kernels several)" -ge 2 ] || fail "on several devices no kernel changed: $(cat several.json)"

# NVIDIA's GPUs begin with what mogcc has compiled, others with nothing, for their drivers may take long for that; one whose driver cannot compile that
# interprets, and says so.
for gpu in "nvidia gpu" gpu; do
    fresh
    MOG_TEST_OPENCL=$gpu MOG_TEST_TIERS=once run gpu --slice=20
    same gpu "as on a GPU ($gpu)"
    [ "$(kernels gpu)" -eq 2 ] || fail "as on a GPU ($gpu) no kernel changed: $(cat gpu.json)"
    functions='[1-9]'
    [ "$gpu" != gpu ] || functions=0
    grep -q '"kernels":\[{"begins":0.0,"build_seconds":[0-9.e-]*,"functions":'"$functions" gpu.json || fail "as on a GPU ($gpu) it begins with something else: $(cat gpu.json)"
done
MOG_TEST_OPENCL="weak gpu" MOG_TIERS=none run weak --slice=20
same weak "with a weak driver"
grep -q 'could not be built, so all is interpreted: MOG_TEST_OPENCL' weak.json || fail "nothing is said of a weak driver: $(cat weak.json)"

# A driver that fails leaves the run as it is.
fresh
MOG_TEST_TIERS=fail run failed --slice=20
same failed "a kernel that could not be built"
[ "$(kernels failed)" -eq 1 ] || fail "a kernel that could not be built runs"
grep -q 'could not be built, so the run goes on without' failed.json || fail "nothing is said: $(cat failed.json)"
grep -q '"failure":' failed.json || fail "statistics do not tell: $(cat failed.json)"

# A run does not wait for a kernel that is still being built (for a minute here), and what it has found is there for the next one.
fresh
began=$(date +%s)
MOG_TEST_TIERS=long run long --slice=20
[ $(($(date +%s) - began)) -lt 40 ] || fail "the run has waited for a kernel"
same long "with a kernel that was not built in time"
[ "$(kernels long)" -eq 1 ] || fail "a kernel that was not built in time runs"
[ "$(find cache -type f | wc -l)" -ge 2 ] || fail "nothing was kept: $(ls cache)"

# Nothing that depends on time where that is forbidden, and nothing where somebody has decided.
for options in --deterministic "--profile counts" --engine=switch --engine=sequence --engine=blocks; do
    fresh
    run decided --slice=20 $options
    same decided "with $options"
    grep -q '"tiers"' decided.json && fail "$options has tiers: $(cat decided.json)"
done
"$mogcc" -O1 --order-time=0 --simd=none --build-time=0.2 program.c -o program
run budget --slice=20
same budget "with a budget"
grep -q '"tiers"' budget.json && fail "mogcc --build-time has tiers"
grep -q '"compiled_while_running"' budget.json && fail "mogcc --build-time has what it compiled, and more"

exit 0

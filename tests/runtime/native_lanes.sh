#!/bin/sh
# native_lanes.sh MOGCC MOGRUN SOURCES WORK: with AVX-512, mogrun compiles code for lanes itself, in the run that wants it: no compiler of the
# machine is asked, the first run of a program has lanes soon and the next one from its start, all print what blocks do, and the statistics
# tell of it.
set -u
mogcc=$1 mogrun=$2 sources=$3 work=$4
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
unset MOG_SIMD MOG_ENGINE MOG_FUEL MOG_STATS MOG_SLICE MOG_NATIVE MOG_DIVERGENCE
export MOG_CACHE_DIR="$work/cache" MOG_CXX=/nonexistent/compiler
grep -q avx512vl /proc/cpuinfo || {
    echo 'skipped: this processor has no AVX-512'
    exit 77
}
failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}
# run REPEATS PROGRAM OPTION...: the sorted output in out, the statistics in stats.
run() {
    program=$2
    export BENCH_RANKS=250 BENCH_REPEATS="$1"
    shift 2
    "$mogrun" -n 250 --device=host --stats=json "$@" "./$program" >unsorted 2>stats || fail "$program $*: status $?"
    sort unsorted >out
}
says() { grep -q "$1" stats || fail "$program: no $1 in $(cat stats)"; }

# Integers, floats, doubles, tables; lanes that stay together, and such that part, where blocks may win.
for program in mandelbrot nbody sha256 coremix quicksort recursion hash_table; do
    "$mogcc" -O2 --order-time=0.001 "$sources/bench/programs/$program.c" -o $program -lm || exit 1
    run 2 $program --engine=blocks
    mv out blocks
    for divergence in off simple guarded; do
        run 2 $program --engine=lanes --divergence=$divergence
        cmp -s out blocks || fail "$program, --divergence=$divergence: another output than that of blocks"
        says '"lanes_compiled_instructions":[1-9]'
    done
    # In slices that end everywhere.
    run 1 $program --engine=blocks
    mv out blocks
    run 1 $program --engine=lanes --slice=997
    cmp -s out blocks || fail "$program: another output with short slices"
done

# A run chooses lanes while it goes on, and the next one begins with them.
for repeats in 100 400 1600; do
    rm -rf cache
    run $repeats mandelbrot
    grep -q '"trials":[1-9]' stats && break
done
says '"picked":{"engine":"lanes".*"trials":[1-9]'
says '"lanes_compiled_instructions":[1-9]'
mv out first
run $repeats mandelbrot --engine=blocks
cmp -s out first || fail 'another output than that of blocks'
# All but trials of blocks, if there are any.
run $repeats mandelbrot
says '"picked":{"engine":"lanes","reason":"\(as in the last run\|.*lanes executed \(9[0-9]\|100\) %\)'

# Where lanes part, blocks win, and are what the next run begins with.
rm -rf cache
run 40 recursion
says '"picked":{"engine":"blocks"'

# More memory than lanes can tell apart is no reason not to run.
BENCH_REPEATS=0 "$mogrun" -n 4 --mem=600M --device=host --engine=lanes ./mandelbrot >out 2>message && fail 'lanes of 600 MB each'
grep -q 'engine=lanes: the memory of 16 PEs is more than lanes can tell apart' message || fail "$(cat message)"
BENCH_REPEATS=0 "$mogrun" -n 4 --mem=600M --device=host ./mandelbrot >out 2>message || fail "600 MB: $(cat message)"

# MOG_SIMD names what processors without AVX-512 have: there the machine's compiler is asked.
MOG_SIMD=avx2 "$mogrun" -n 1 --device=host --engine=lanes ./mandelbrot >out 2>message && fail 'AVX2 without a compiler'
grep -q 'engine=lanes: MOG_CXX' message || grep -q 'engine=lanes: .*compiler' message || fail "$(cat message)"
exit $((failures != 0))

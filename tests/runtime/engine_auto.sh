#!/bin/sh
# engine_auto.sh MOGCC MOGRUN SOURCES WORK: mogrun without --engine picks lanes where they pay and blocks where those do, says so, and
# gives what blocks give; what keeps it from a choice is said as well.
set -u
mogcc=$1 mogrun=$2 sources=$3 work=$4
mkdir -p "$work" && cd "$work" || exit 1
unset MOG_SIMD MOG_ENGINE MOG_FUEL MOG_STATS MOG_SLICE
failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# run PES REPEATS PROGRAM OPTION...: the sorted output in out, the statistics in stats.
run() {
    pes=$1 program=$3
    export BENCH_RANKS="$pes" BENCH_REPEATS="$2"
    shift 3
    "$mogrun" -n "$pes" --device=host --stats "$@" "./$program" >unsorted 2>stats || fail "$program $*: status $?"
    sort unsorted >out
}

# picks ENGINE REASON: what the statistics say.
picks() {
    grep -q "^  picked  *$1: .*$2" stats || fail "$program: expected $1 ($2), got: $(grep picked stats)"
}

# Lanes are in it from the beginning, as are some blocks; lanes_later.sh is about those that are not.
MOG_COMPILER_SPEED=10 "$mogcc" -O2 --order-time=0.001 -ffp-contract=off --build-time=0.15 "$sources/bench/programs/mandelbrot.c" -o mandelbrot -lm || exit 1
run 64 1 mandelbrot --engine=blocks
grep -q picked stats && fail 'something was picked though an engine was asked for'
mv out blocks
export MOG_SIMD=none
run 64 1 mandelbrot
unset MOG_SIMD
picks blocks 'forbids lanes'
cmp -s out blocks || fail 'mandelbrot without lanes: another output'
"$mogrun" -n 1 --device=host --engine=lanes ./mandelbrot >/dev/null 2>message || {
    cat message
    [ $failures = 0 ] && exit 77
    exit 1
}

run 64 1 mandelbrot --fuel=1G
picks blocks fuel
run 2 1 mandelbrot
picks blocks 'too few PEs'
# Few, for on a busy machine many would take long enough for a trial.
run 4 0 mandelbrot
picks blocks 'before blocks and lanes were compared'

rm -rf cache
export MOG_CACHE_DIR="$PWD/cache"
# Differences of a factor of three at least, so that other load does not matter.
run 256 40 mandelbrot --engine=blocks
mv out blocks
run 256 40 mandelbrot
picks lanes 'lanes executed [1-9]'
cmp -s out blocks || fail 'mandelbrot by trials: another output'
grep -q '^  lanes .*execute, on average' stats || fail 'mandelbrot: nothing about its lanes'
run 64 160 mandelbrot --stats=json
grep -q '"picked":{"engine":"lanes","reason":".*","trials":[1-9]' stats || fail "mandelbrot: no choice in $(cat stats)"

# The last run is remembered: one that ends before anything is compared, as that of few PEs, is in lanes, too.
run 64 0 mandelbrot
picks lanes 'as in the last run'

"$mogcc" -O2 --order-time=0.001 "$sources/bench/programs/recursion.c" -o recursion || exit 1
run 256 20 recursion --engine=blocks
mv out blocks
run 16 1 recursion --engine=lanes       # after which there is code for them
run 256 20 recursion
picks blocks 'G instructions/s of a core in lanes'
cmp -s out blocks || fail 'recursion by trials: another output'

MOG_SIMD=none "$mogcc" -O2 --order-time=0.001 -ffp-contract=off "$sources/bench/programs/mandelbrot.c" -o without -lm || exit 1
run 64 1 without
picks blocks 'no code for lanes'
exit $((failures != 0))

#!/bin/sh
# lanes_later.sh MOGCC MOGRUN SOURCES WORK: mogcc compiles no lanes by itself. A run that lasts long enough has them compiled beside it, by
# the machine's compiler where there is no AVX-512 (native_lanes.sh is about the others), and
# goes on with them, the next one begins with them; and of the compiler nothing is left, however a run ends.
set -u
mogcc=$1 mogrun=$2 sources=$3 work=$4
rm -rf "$work" && mkdir -p "$work/tmp" && cd "$work" || exit 1
unset MOG_ENGINE MOG_FUEL MOG_STATS MOG_SLICE MOG_CXX MOG_NATIVE
export MOG_SIMD=avx2
export MOG_CACHE_DIR="$work/cache" TMPDIR="$work/tmp"
failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}
MOG_CXX=/nonexistent "$mogcc" -O2 --order-time=0.001 -ffp-contract=off "$sources/bench/programs/mandelbrot.c" -o program -lm 2>message || exit 1
[ -s message ] && fail "mogcc says: $(cat message)"

# run REPEATS OPTION...: the sorted output in out, the statistics in stats.
run() {
    export BENCH_RANKS=256 BENCH_REPEATS="$1"
    shift
    "$mogrun" -n 256 --device=host --stats=json "$@" ./program >unsorted 2>stats || fail "$*: status $?"
    sort unsorted >out
}
says() { grep -q "$1" stats || fail "no $1 in $(cat stats)"; }

if ! "$mogrun" -n 1 --device=host --engine=lanes ./program >/dev/null 2>message; then
    cat message
    grep -q 'MOG_SIMD' message && exit 77
    exit 1
fi
rm -rf cache

# Short runs have better things to do.
run 0
says 'too short a run to compile for lanes'
ls cache/*.bin >/dev/null 2>&1 && fail 'something was compiled'

# On a busy machine the compiler takes its time, and a run that ends soon after it has compared nothing.
for repeats in 100 400 1600; do
    rm -rf cache
    run $repeats
    grep -q '"trials":[1-9]' stats && break
done
says '"lanes_compiled_seconds":[0-9]'
says '"picked":{"engine":"lanes".*"trials":[1-9]'
cp out later
# However often they do it, they print what comes of it.
run 1 --engine=blocks
cmp -s out later || fail 'another output than that of blocks'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls -R tmp)"

# The next run has them, also where there is no compiler.
MOG_CXX=no-such-compiler run 0
says '"picked":{"engine":"lanes","reason":"as in the last run'
grep -q lanes_compiled_seconds stats && fail 'compiled again'
MOG_CXX=no-such-compiler run 1 --engine=lanes
says 'compiled blocks for 16 PEs at once'

# Without a compiler, or with one that fails, everything stays as it is, and the statistics say so.
rm -rf cache
MOG_CXX=no-such-compiler run 100
says 'code for lanes could not be compiled: this needs a C++ compiler'
says '"picked":{"engine":"blocks"'
MOG_CXX=false run 100
says 'code for lanes could not be compiled: the C++ compiler failed'
MOG_CXX=no-such-compiler "$mogrun" -n 1 --device=host --engine=lanes ./program 2>message && fail 'lanes without a compiler'
grep -q 'engine=lanes: this needs a C++ compiler' message || fail "$(cat message)"
# Nor are any compiled for what cannot have them.
MOG_CXX=no-such-compiler run 20 --deterministic
says 'deterministic allows no trials'

# A run that ends while the compiler works leaves neither files nor processes, in whatever way it ends.
printf '#!/bin/sh\necho $$ >>"%s/started"\nsleep 600\n' "$work" >slow
chmod +x slow
export MOG_CXX="$work/slow"
gone() {
    for _ in $(seq 100); do
        left=$(ls tmp)
        for process in $(cat started); do kill -0 "$process" 2>/dev/null && left="$left process $process"; done
        [ -z "$left" ] && return
        sleep 0.1
    done
    fail "$1: left behind: $left"
}
rm -f started
run 100
[ -s started ] || fail 'the compiler was not called'
says 'still being compiled when the run ended'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls -R tmp)"
gone 'the end'
# The next one knows of that: it begins at once, or not before it has lasted longer, whatever this machine takes for it.
run 20
says 'still being compiled when the run ended\|as short a run as the last'
gone 'the next'
for signal in TERM KILL; do
    rm -f started
    BENCH_RANKS=256 BENCH_REPEATS=100000 "$mogrun" -n 256 --device=host ./program >/dev/null 2>message &
    runs=$!
    for _ in $(seq 300); do
        [ -s started ] && break
        sleep 0.1
    done
    kill -$signal $runs
    wait $runs 2>/dev/null
    [ -s started ] || fail "$signal: the compiler was not called"
    [ -s message ] && fail "$signal: $(cat message)"
    gone $signal
done
exit $((failures != 0))

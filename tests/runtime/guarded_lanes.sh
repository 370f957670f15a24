#!/bin/sh
# guarded_lanes.sh MOGCC MOGRUN SOURCES WORK: copies of loops for lanes that are together compute what the reference machine does, also where
# lanes leave them; each scalar in them is the same in all lanes, which a build compares; and the statistics tell of them.
set -u
mogcc=$1 mogrun=$2 sources=$3 work=$4
mkdir -p "$work" && cd "$work" || exit 1
unset MOG_ENGINE MOG_STATS MOG_SLICE MOG_DIVERGENCE
export MOG_CACHE_DIR="$PWD/cache"
failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# lanes OPTION... -- PROGRAM ARGUMENT...: in lanes; the sorted output in out, what is said in said.
lanes() {
    "$mogrun" --device=host --engine=lanes "$@" >unsorted 2>said
    status=$?
    sort unsorted >out
}
reference() {
    "$mogrun" --device=reference "$@" >unsorted 2>said
    wanted=$?
    sort unsorted >expected
    sort said >expected_said
}
# same WHAT: as the reference machine.
same() {
    [ "$status" = "$wanted" ] || fail "$1: status $status, not $wanted: $(tail -n 5 said)"
    cmp -s out expected || fail "$1: another output: $(diff out expected | head -n 5)"
}

"$mogcc" -O2 --order-time=0.001 "$sources/tests/runtime/guarded_lanes.c" -o program || exit 1
"$mogrun" -n 1 --device=host --engine=lanes ./program >/dev/null 2>message || {
    cat message
    [ "$(uname -m)" = x86_64 ] || exit 77
    exit 1
}

compiler=${MOG_CXX:-c++}
for simd in "" avx2 portable; do
    if [ -n "$simd" ]; then export MOG_SIMD=$simd; else unset MOG_SIMD; fi
    # -O1: the functions that compare are everywhere. Which values are scalars is decided before it is known for what processor. Without
    # a name MOG compiles itself where there is AVX-512.
    checks='""'
    [ "$simd" != avx2 ] || checks='"" "-O1 -DMOG_CHECK_SCALARS"'
    eval "set -- $checks"
    for check; do
        export MOG_CXX="$compiler $check"
        # Full warps, one that is not, and PEs of which one does something else. With x they read on until their memory ends.
        for arguments in "" "20" "3 x"; do
            # shellcheck disable=SC2086
            reference -n 40 --mem=1M ./program $arguments
            # shellcheck disable=SC2086
            lanes -n 40 --mem=1M ./program $arguments
            same "$simd $check: $arguments"
            grep -q 'a scalar is not the same' said && fail "$simd: $(cat said)"
            # What is told about a PE that stopped: in which line, with which registers.
            grep -v 'addresses in lanes' said | sort >said_of_faults
            cmp -s said_of_faults expected_said || fail "$simd $check: $arguments: $(diff said_of_faults expected_said | head -n 5)"
        done
    done
    export MOG_CXX="$compiler"
    reference -n 32 ./program 5
    for slice in 1 7 300; do
        lanes -n 32 --slice=$slice ./program 5
        same "$simd slices of $slice"
    done
    for divergence in off simple guarded; do
        lanes -n 32 --divergence=$divergence --stats ./program 5
        same "$simd --divergence=$divergence"
        sed -n 's/^  copies of loops *\([0-9]*\) for lanes that are together, entered \([0-9]*\) of .*/\1 \2/p' said >counted
        read -r copies entered <counted || fail "nothing about copies of loops: $(cat said)"
        [ "$copies" -gt 3 ] || fail "$simd: $copies copies"
        case $divergence in
            off) [ "$entered" = 0 ] || fail "--divergence=off entered $entered times" ;;
            simple) simple=$entered ;;
            guarded) [ "$entered" -gt "$simple" ] && [ "$simple" -gt 0 ] || fail "entered $simple and $entered times" ;;
        esac
    done
done

# Of accesses with one address for all lanes nine in ten no longer ask.
export MOG_SIMD=avx2  # as C++
export MOG_CXX="$compiler -O1 -DMOG_CHECK_SCALARS" BENCH_REPEATS=1
for program in matmul fir nbody sha256 sieve; do
    # In sieve all addresses rest on what memset gives back, of which nothing is known; where gcc writes bytes by words they do not.
    "$mogcc" -O2 --order-time=0.001 -ftree-vectorize -ffp-contract=off "$sources/bench/programs/$program.c" -o $program -lm || exit 1
    reference -n 32 ./$program
    lanes -n 32 ./$program
    same $program
    sed -n 's/^addresses in lanes: \([0-9]*\) scalar, \([0-9]*\) asked and the same.*/\1 \2/p' said >counted
    read -r scalar asked <counted || fail "$program: nothing about addresses: $(cat said)"
    [ "$scalar" -gt $((9 * asked)) ] || fail "$program: $scalar addresses are scalars, $asked are asked"
done
[ $failures = 0 ]

#!/bin/sh
# counted_loops.sh MOGCC MOGRUN LIBMOGCUDA: loops whose rounds kernels count before they begin do what they do on the reference machine, in slices of any
# length and with memory laid out either way, also where an address is bad in the midst of them; and they are counted. Exit status 77: there is no clang.
set -eu
mogcc=$1 mogrun=$2 library=$3
. "$(dirname "$0")/on_ptx_engine.sh"
# What runs is short: its kernels need not be machine code, too.
export MOG_TIERS=none MOGCUDA_ENGINE=interpreter
# Each loop by itself.
"$mogcc" -O2 -fno-inline -I"$here" --order-time=0 --simd=none --build-time=all "$here/counted_loops.c" -o loops
fail() { echo "FAILED: $*" >&2; exit 1; }
# same NAME OPTION... [-- ARGUMENT...]: lines, messages and status as on the reference machine.
same() {
    name=$1
    shift
    options= arguments=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options="$options $1" && shift; done
    [ $# -eq 0 ] || shift
    arguments=$*
    expected=0 got=0
    # shellcheck disable=SC2086 # several words
    "$mogrun" -n 40 --mem=1M --device=reference ./loops $arguments >expected.out 2>expected.err || expected=$?
    # shellcheck disable=SC2086
    "$mogrun" -n 40 --mem=1M --device=cuda $options ./loops $arguments >got.out 2>got.err || got=$?
    sort expected.out >expected.sorted
    sort got.out >got.sorted
    [ "$got" = "$expected" ] || fail "$name: status $got, not $expected: $(head -3 got.err)"
    cmp -s expected.sorted got.sorted || fail "$name: $(diff expected.sorted got.sorted | head -4)"
    grep -v '^mog: [0-9]* of ' expected.err >expected.said || true
    grep -v '^mog: [0-9]* of ' got.err >got.said || true
    cmp -s expected.said got.said || fail "$name: $(diff expected.said got.said | head -6)"
}
same whole
[ "$(sort -u expected.out | wc -l)" -gt 30 ] || fail "PEs do the same"
for slice in 1000 2500 40000; do same "slices of $slice" --slice=$slice; done
same sectors --memory-layout=sectors
same 'sectors in slices' --memory-layout=sectors --slice=3000
for kind in beyond aside constant below stride table counts; do
    same "$kind" -- $kind
    [ "$expected" != 0 ] || fail "$kind is nothing wrong"
done
same 'beyond, in slices' --slice=1500 -- beyond
# The generated code: which loops are counted, and by what.
"$mogcc" -O2 -fno-inline -I"$here" --order-time=0 --build-time=all --emit=cuda "$here/counted_loops.c" -o loops
for word in WHILE_DIFFERENT WHILE_LESS GOES_UP GOES_DOWN STORES_GO_UP STORES_GO_DOWN UNASKED WINDOW_ON; do
    [ "$(grep -c "^    .*$word" loops.cu)" -gt 0 ] || fail "no loop has $word"
done

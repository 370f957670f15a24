#!/bin/sh
# lanes.sh MOGCC MOGRUN LIBMOGCUDA: lanes of a warp that have parted in compiled code are soon together again: those that are in different functions,
# whether these are of one group of compiled blocks or of several, wait for each other. Counted by MOG's PTX engine, with lanes that meet at
# post-dominators, as a device's compiler has them meet. Exit status 77: there is no clang.
set -eu
mogcc=$1 mogrun=$2 library=$3
. "$(dirname "$0")/on_ptx_engine.sh"
export MOGCUDA_ENGINE=interpreter MOGCUDA_MEETING=postdominators MOGCUDA_STATS=json

# Functions that are too long for one group; which one is called next, each PE draws.
cat >groups.c <<'END'
#include <mog.h>
#define FOUR(x) x x x x
#define STEPS(k) FOUR(FOUR(FOUR(x = x * 1664525u + k; x ^= x >> 15;)))
#define FUNCTION(name, k) __attribute__((noinline)) static unsigned name(unsigned x) { FOUR(STEPS(k)) return x; }
FUNCTION(a, 1) FUNCTION(b, 3) FUNCTION(c, 5) FUNCTION(d, 7)
int main(void) {
    unsigned x = IPROC;
    for (int i = 0; i < 50; i++) {
        if (x >> 9 & 1) x = a(x);
        if (x >> 9 & 1) x = b(x);
        if (x >> 9 & 1) x = c(x);
        x = d(x);
    }
    return x % 50;
}
END
# Within one group: each PE's tree has another shape.
cat >group.c <<'END'
#include <mog.h>
__attribute__((noinline)) static unsigned tree(unsigned seed, int depth) {
    if (depth == 0) return seed & 1;
    unsigned sum = tree(seed * 1664525u + 1013904223u, depth - 1);
    if (seed >> 30) sum += tree(seed * 22695477u + 1u, depth - 1);
    return sum;
}
int main(void) { return tree(IPROC * 2654435761u, 9) % 50; }
END
# count NAME MOST LEAST: it takes at most so many thousand instructions of warps, in which so many lanes take part.
count() {
    "$mogcc" -O1 --order-time=0 --simd=none --build-time=all $1.c -o $1 -lm
    status=0 expected=0
    MOGCUDA_STATS= "$mogrun" -n 32 --device=reference ./$1 >/dev/null || expected=$?
    MOG_TIERS=none "$mogrun" -n 32 --device=cuda --slice=134217728 ./$1 2>$1.json || status=$?
    [ $status = $expected ] || { echo "$1 ends with status $status, not $expected"; exit 1; }
    python3 - "$@" <<'END'
import json
import sys
name, most, least = sys.argv[1], 1000 * int(sys.argv[2]), float(sys.argv[3])
for line in open(name + ".json"):
    if not line.startswith("{"):
        sys.exit(line)
    kernel = json.loads(line)
    if kernel["kernel"] != "mog_run":
        continue
    warps, lanes = kernel["warp_instructions"], kernel["thread_instructions"] / kernel["warp_instructions"]
    print(f"{name}: {warps} instructions of warps, {lanes:.1f} lanes")
    if warps > most or lanes < least:
        sys.exit(f"{name}: asked were at most {most}, and {least} lanes")
END
}
count groups 1300 2.5 # 2557 and 1.1 if each goes on as soon as it can
count group 265 11    # 306 and 7.6

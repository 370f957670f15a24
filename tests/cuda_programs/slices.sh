#!/bin/sh
# slices.sh MOGCC MOGRUN LIBMOGCUDA: what slices cost lanes of a warp, by the counts of MOG's PTX engine, with lanes that meet at post-dominators: they end
# where compiled blocks begin, but for who looks where PEs stand; and --regroup brings PEs that do the same into one warp, whoever they are. All
# does the same by each way. Exit status 77: there is no clang.
set -eu
mogcc=$1 mogrun=$2 library=$3
. "$(dirname "$0")/on_ptx_engine.sh"
export MOG_TIERS=none MOGCUDA_ENGINE=interpreter MOGCUDA_MEETING=postdominators

# What a PE does its number says; every third one prints and ends, or waits, in between.
cat >roles.c <<'END'
#include "tell.h"
#define ROLE(name, a, b, step) \
    __attribute__((noinline)) static unsigned name(unsigned x, int n) { \
        for (int i = 0; i < n; i++) { \
            x = x * a + b; \
            if (x >> 13 & 1) x ^= x >> 7; \
            step \
        } \
        return x; \
    }
ROLE(one, 1664525u, 1013904223u, x += x << 3;)
ROLE(two, 22695477u, 1u, x ^= x << 5;)
ROLE(three, 1103515245u, 12345u, x -= x >> 11;)
ROLE(four, 134775813u, 7u, x += i;)
static unsigned (*const roles[])(unsigned, int) = {one, two, three, four};
int main(void) {
    unsigned x = roles[IPROC % 4](IPROC, 250);
    if (IPROC % 3 == 1) {
        tell(x);
        if (IPROC % 9 == 1) return x % 5;
    }
    tell(roles[(IPROC + IPROC / 64) % 4](x, 500));
    return 0;
}
END
"$mogcc" -O1 -I"$here" --order-time=0 --simd=none --build-time=all roles.c -o roles
status=0
"$mogrun" -n 128 --mem=1M --device=reference ./roles >expected.all || status=$?
sort expected.all >expected
# run NAME OPTION...: the same lines and the same status; NAME.json has what it took. --stats reads all memory of PEs, so they have little.
run() {
    name=$1 got=0
    shift
    MOGCUDA_STATS=json "$mogrun" -n 128 --mem=1M --device=cuda --slice=3000 --stats=json "$@" ./roles >$name.all 2>$name.json || got=$?
    sort $name.all >$name.out
    [ $got = $status ] && cmp -s $name.out expected || { echo "$*: status $got, not $status, or another output"; diff $name.out expected | head -5; exit 1; }
}
run off --regroup=off
run always --regroup=always
MOG_REGROUP=auto run deterministic --deterministic
run fuel --regroup=always --fuel=100M
run exact --regroup=off --profile-report=report.html
python3 - <<'END'
import json
import sys


def read(name):
    of = {}
    for line in open(name + ".json"):
        if line.startswith("{"):
            one = json.loads(line)
            of["kernel" if one.get("kernel") == "mog_run" else "run" if "engine" in one else "other"] = one
    return of["kernel"]["warp_instructions"], of["run"].get("regrouping")


def expect(is_so, what):
    if not is_so:
        sys.exit(what)


off, none = read("off")
always, regrouped = read("always")
exact, _ = read("exact")
print(f"instructions of warps: slices that are exact {exact}, that end at blocks {off}, with PEs regrouped {always}; {regrouped}")
expect(exact > 1.3 * off, "slices that end where blocks begin do not save what the interpreter takes for their ends")
expect(off > 1.7 * always, "PEs that do the same are not in one warp")
expect(none is None and read("deterministic")[1] is None, "--regroup=off and --deterministic tell of regrouping")
expect(regrouped["regrouped"] > 3 and regrouped["moves"] > 64, "--stats says that nobody has moved")
END
# A bad word is refused.
if "$mogrun" -n 2 --regroup=maybe ./roles 2>err; then echo "--regroup=maybe is taken"; exit 1; fi
grep -q "auto, off or always" err || { cat err; exit 1; }

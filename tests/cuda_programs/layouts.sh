#!/bin/sh
# layouts.sh MOGCC MOGRUN LIBMOGCUDA: --memory-layout: what a kernel counts of either layout of DATA, by MOG's PTX engine, which runs choose sectors by
# it and which words, and that programs do the same by either. Exit status 77: there is no clang.
set -eu
mogcc=$1 mogrun=$2 library=$3
. "$(dirname "$0")/on_ptx_engine.sh"
export MOG_TIERS=none

# Bytes, halves, words and doubles of 4 KiB, of which a lane has 128 bytes in its cache; by all lanes, or by one of each warp.
cat >walk.c <<'END'
#include "tell.h"
static union {
    unsigned words[1024];
    unsigned short halves[2048];
    unsigned char bytes[4096];
    double doubles[512];
} data;
int main(void) {
    unsigned sum = 0;
    if (ALONE && IPROC % 32 != 7) return 0;
    for (int i = 0; i < 1024; i++) data.words[i] = i * 2654435761u + IPROC;
    for (int i = 1; i < 2048; i += 3) data.halves[i] += data.halves[i - 1];
    for (int i = 1; i < 4096; i += 5) data.bytes[i] ^= data.bytes[i - 1];
    for (int i = 0; i < 1024; i++) sum = sum * 31 + data.words[i];
    for (int i = 0; i < 512; i++) data.doubles[i] = i + 0.5 * IPROC;
    for (int i = 0; i < 1024; i++) sum = sum * 31 + data.words[i];
    tell(sum);
    return 0;
}
END
run() {
    name=$1
    shift
    "$mogrun" -n 40 --mem=1M --device=cuda --stats=json "$@" "./$name" 2>"$name.json" | sort >"$name.out"
    cmp -s "$name.out" "$name.expected" || { echo "$name $*: another output"; diff "$name.out" "$name.expected" | head -5; exit 1; }
}
engine_is() {
    if [ "$1" = sectors ]; then grep -q '"engine": *"[^"]*memory by sectors' "$name.json"; else ! grep -q 'memory by sectors' "$name.json"; fi ||
        { echo "$name: memory is not laid by $1"; cat "$name.json"; exit 1; }
}
for name in together alone; do
    "$mogcc" -O1 -I"$here" -DALONE=$([ $name = alone ] && echo 1 || echo 0) --order-time=0 --simd=none --build-time=0 walk.c -o $name
    "$mogrun" -n 40 --mem=1M --device=reference ./$name | sort >$name.expected
    run $name --memory-layout=sectors
    engine_is sectors
    run $name
    engine_is words # nothing has been counted
    run $name --memory-layout=count
    # By words a sector holds a word of eight lanes; by sectors eight of one.
    python3 - "$name" <<'END'
import json
import sys
name = sys.argv[1]
counted = json.load(open(name + ".json"))["sectors"]
words, sectors = counted["by_words"], counted["by_sectors"]
print(name, counted)
touches, fetches = sectors["touched"] / words["touched"], words["fetched"] / sectors["fetched"]
wanted = ((1, 1.2), (4, 9)) if name == "alone" else ((7.5, 8), (0.6, 1.3))
for what, is_so, (least, most) in ("touched", touches, wanted[0]), ("fetched", fetches, wanted[1]):
    if not least <= is_so <= most:
        sys.exit(f"{name}: {what}: {is_so:.2f} times as many, expected were {least} to {most}")
END
    run $name
    engine_is $([ $name = alone ] && echo sectors || echo words)
    run $name --memory-layout=words
    engine_is words
done

# Frames, which compiled code asks for once, and has as windows of DATA.
cat >frames.c <<'END'
#include "tell.h"
__attribute__((noinline)) static unsigned tree(unsigned seed, int depth, unsigned *sum) {
    unsigned left = seed * 1664525u + 1013904223u, right = seed * 22695477u + 1u;
    if (depth == 0) return *sum += seed >> 9;
    unsigned a = tree(left, depth - 1, sum), b = right >> 31 ? tree(right, depth - 1, &left) : right;
    return a * 31 + b + left;
}
int main(void) {
    unsigned sum = 0;
    sum += tree(IPROC * 2654435761u, 6, &sum);
    tell(sum);
    return 0;
}
END
"$mogcc" -O1 -I"$here" --order-time=0 --simd=none --build-time=all frames.c -o frames
"$mogrun" -n 40 --mem=1M --device=reference ./frames | sort >frames.expected
run frames --memory-layout=sectors
engine_is sectors

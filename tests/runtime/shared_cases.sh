#!/bin/sh
# shared_cases.sh MOGCC MOGRUN WORK: an interpreter that goes from each of its instructions to the next by a table of labels. Its native code
# has one table for all these jumps, and little beside its instructions; it prints what the reference machine prints, and fuel ends where it
# does there, so that what is counted on the way to each case is right.
set -u
mogcc=$1 mogrun=$2 work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
unset MOG_ENGINE MOG_FUEL MOG_STATS MOG_SLICE MOG_NATIVE MOG_SIMD
export MOG_CACHE_DIR="$work/cache"
failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}
# 60 of its instructions are of several lengths; in every fifth there is a loop, and in every seventh a switch.
awk 'BEGIN {
    print "#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned char code[500], finish[] = {60};\nint main(int argc, char **argv) {"
    print "    unsigned r[8] = {1, 2, 3}; long left = argc > 1 ? atol(argv[1]) : 2000; unsigned char *next = code;"
    print "    for (int i = 0; i < 499; ++i) code[i] = i * 37 % 59;\n    code[499] = 59;\n    static void *const way[] = {"
    for (i = 0; i < 60; ++i) printf "&&l%d, ", i
    print "&&end};\n    goto *way[*next++];"
    # The first case is one from which nothing goes on: what is counted on the way there is not what is for the others.
    print "end: for (int i = 0; i < 8; ++i) printf(\"%u \", r[i]);\n    return 0;"
    for (i = 0; i < 59; ++i) {
        printf "l%d: r[%d] = r[%d] * %du + r[%d] + %d;", i, i % 8, (i * 3 + 1) % 8, 2 * i + 1, (i * 5 + 2) % 8, i
        for (k = 0; k < i % 4; ++k) printf " r[%d] ^= r[%d] >> %d;", (i + k) % 8, (i * 7 + k) % 8, k + 1
        if (i % 5 == 0) printf " for (unsigned k = r[%d] %% 4; k > 0; --k) r[%d] += k * r[%d];", i % 8, (i + 1) % 8, (i + 3) % 8
        if (i % 7 == 0) printf " switch (r[%d] %% 5) { case 0: r[0] ^= 7; break; case 1: r[1] += 9; case 2: r[2] -= 3; break; case 3: r[3] *= 5; break; default: r[4]++; }", i % 8
        print " goto *way[*next++];"
    }
    print "l59: next = --left <= 0 ? finish : code; goto *way[*next++];\n}"
}' >interpreter.c
"$mogcc" -O2 -fno-reorder-blocks --order-time=0.001 interpreter.c -o interpreter || exit 1
"$mogrun" -n 1 --device=reference ./interpreter 20 >expected || fail "reference: status $?"
"$mogrun" -n 1 --device=host --engine=native ./interpreter 20 >out || fail "native: status $?"
cmp -s out expected || fail "native code: $(cat out) instead of $(cat expected)"
"$mogrun" -n 1 --device=host --engine=native --stats=json ./interpreter 2000 2>stats >/dev/null || fail "native: status $?"
# 16 to 25 bytes are usual; with a table, or ways, for each jump there were some 200.
python3 - stats <<'P' || fail "bytes of code for an instruction: $(cat stats)"
import json, sys
compiled = json.load(open(sys.argv[1]))["compiled_while_running"]
sys.exit(compiled["mog_instructions"] < 1000 or compiled["bytes"] > 40 * compiled["mog_instructions"])
P
for fuel in 40001 40002 40003 40005 40008 40013 40021 40034 40055 40089; do
    "$mogrun" -n 1 --device=reference --fuel=$fuel ./interpreter 100000 >reference 2>&1
    [ $? -eq 124 ] || fail "reference, fuel $fuel: $(cat reference)"
    "$mogrun" -n 1 --device=host --engine=native --fuel=$fuel ./interpreter 100000 >host 2>&1
    cmp -s reference host || fail "fuel $fuel: $(cat host) instead of $(cat reference)"
done
[ "$failures" -eq 0 ]

#!/bin/sh
# bench/run measures a program and writes tables and JSON that bench/compare reads; a wrong output is found.
# Usage: run.sh BENCH BUILD
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MOG_SIMD=none "$1/run" --build "$2" --only fir --pes 16 --repeats 2 --seconds 0.01 --device host --device reference --no-service \
    --json "$work/a.json" >"$work/table"
grep -q '^fir .*(  1.0)' "$work/table"
grep -q 'skipped: host/lanes: ' "$work/table"
python3 - "$work/a.json" <<'P'
import json, sys
result = json.load(open(sys.argv[1]))
rows = result["programs"]["fir"]["backends"]
assert {"native", "reference", "host/switch"} <= rows.keys(), rows.keys()
assert result["programs"]["fir"]["mips_instructions"] / 16 > 1e5
assert all(row["rate_per_core"] > 1 and len(row["wall_seconds"]) == 2 for row in rows.values()), rows
P
"$1/compare" "$work/a.json" "$work/a.json"
"$1/run" --build "$work/none" --show "$work/a.json" | grep -q '^| 1 convergent | [0-9]* | '

# A copy of the bench whose PEs compute something else than its native program.
cp -r "$1" "$work/bench"
sed -i 's/unsigned x = rank + 1, sum = 0;/unsigned x = rank + 1, sum = sizeof(void *) == 4;/' "$work/bench/programs/fir.c"
status=0
"$work/bench/run" --build "$2" --check --only fir --device reference >"$work/wrong" || status=$?
[ "$status" = 1 ]
grep -q "fir on .*: native gives '0 [0-9]*', this '0 " "$work/wrong"

status=0
"$1/run" --build "$2" --only nobody 2>"$work/error" || status=$?
[ "$status" != 0 ]
grep -q 'no program nobody' "$work/error"

#!/bin/sh
# bench/order: prices that can be, in the right relation to each other, and what they bring on a device.
# Usage: order.sh BENCH BUILD
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MOG_CXX=     # the reference machine runs all of it: no code for the device host is compiled
"$1/order" --build "$2" --only examples/nqueens --climb 0.5 --jobs 1 --no-speed --json "$work/a.json" >"$work/table"
grep -q '^the paper .* 3 to 6' "$work/table"
grep -q '^A search of 1 s took .* 10.0 million digrams' "$work/table"
python3 - "$work/a.json" <<'P'
import json, sys
result = json.load(open(sys.argv[1]))
for objective, row in result["orders"]["examples/nqueens"].items():
    price = {what: value[objective] for what, value in row.items() if isinstance(value, dict)}
    assert price["bound"] < price["search_1"] < price["best_of_1000"] < price["random"], (objective, price)
    assert price["search_1"] <= price["search_0.2"] * 1.02 and price["climb"] < price["best_of_1000"], (objective, price)
    assert abs(row["measured_span"] / row["predicted_span"] - 1) < 0.03, row
P

# Speed, on the reference machine, so that it needs no OpenCL: the orders do not matter there, but all the steps are taken.
"$1/order" --build "$2" --only fir --speed-only --device reference --pes 16 --repeats 1 --seconds 0.01 >"$work/speed"
grep -q '^geometric mean ' "$work/speed"

"$2/bin/mogcc" --climb-time=-1 "$1/programs/small.c" -o "$work/small" 2>"$work/error" && exit 1
grep -q 'climb-time.*"-1" is not a number of seconds' "$work/error"

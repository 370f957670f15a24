#!/bin/sh
# calibrate.sh MOGRUN MOGCC SOURCES WORK DEVICE: mogrun --calibrate measures the device; mogcc takes the file, says whose costs it
# went by, and refuses a damaged one.
set -eu
mogrun=$1 mogcc=$2 sources=$3 work=$4/$5 device=$5
[ "$device" != opencl ] || "$mogrun" --list-devices | grep -q '^opencl' || exit 77
rm -rf "$work/costs" && mkdir -p "$work/costs" && cd "$work"
mkdir -p cache && MOG_CACHE_DIR=$work/cache
MOG_TEST_CALIBRATE_QUICKLY=1     # what is measured is not looked at
export MOG_CACHE_DIR MOG_TEST_CALIBRATE_QUICKLY
rm -f cache/costs-*.json
fail() { echo "FAILED: $*"; exit 1; }

"$mogrun" --calibrate --device="$device" >said 2>noise || fail "calibration: $(cat noise)"
[ ! -s noise ] || fail "something on standard error: $(cat noise)"
set -- cache/costs-"$device"*.json
[ $# -eq 1 ] && [ -f "$1" ] || fail "one file of costs: $*"
grep -q -- "mogcc --costs=$work/$1 uses these costs" said || fail "names the file: $(cat said)"
grep -q 'measured times differ from these by' said || fail "says how good it is: $(cat said)"

MOG_CXX= "$mogcc" -O2 --costs="$1" --order-report=report.txt "$sources/examples/collatz/collatz.c" -o measured
MOG_CXX= "$mogcc" -O2 --order-report=estimate.txt "$sources/examples/collatz/collatz.c" -o estimated
grep -q "costs of $device.*measured" report.txt || fail "the report names the device: $(grep costs report.txt)"
grep -q 'costs of a GPU as isa.def estimates it' estimate.txt || fail "the report names the estimate"
cmp -s report.txt estimate.txt && fail "the costs change nothing"
MOG_CXX= "$mogcc" -O2 --costs="$1" "$sources/examples/collatz/collatz.c" -o again
cmp measured again || fail "the same costs give the same image"

head -c 300 "$1" >cut.json
if MOG_CXX= "$mogcc" --costs=cut.json "$sources/examples/collatz/collatz.c" -o x 2>noise; then fail "takes half a file"; fi
grep -q 'cut.json: .*cut off' noise || fail "says that the file is cut off: $(cat noise)"

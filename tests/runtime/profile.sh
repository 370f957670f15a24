#!/bin/sh
# profile.sh MOGCC MOGRUN PROGRAM.c DEVICE: a device counts for --profile what the reference machine counts, which alone knows where jumps
# through registers went (and has another checksum at the end). Skipped (77) where there is no such device.
set -eu
mogcc=$1 mogrun=$2 program=$3 device=$4
"$mogrun" --list-devices | grep -q "^$device" || { echo "skipped: no $device device"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MOG_CXX= "$mogcc" -O2 --order-time=0 --build-time=0 --emit=image "$program" -o "$work/program" -lm
for one in reference "$device"; do
    MOG_CACHE_DIR=$work/cache "$mogrun" -n 40 --device="$one" --slice=5000 --profile="$work/$one" "$work/program" >/dev/null
    grep -v -e '^jump' -e '^end' "$work/$one" >"$work/$one.counts"
done
[ "$(wc -l <"$work/reference.counts")" -gt 100 ]
cmp "$work/reference.counts" "$work/$device.counts"

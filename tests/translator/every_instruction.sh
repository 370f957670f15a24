#!/bin/sh
# every_instruction.sh PYTHON QEMU MOGCC MOGRUN: each row of mips.def gives qemu's results on every device.
set -eu
python=$1 qemu=$2 mogcc=$3 mogrun=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$python" "$here/every_instruction.py" program.c
"$mogcc" -O1 program.c -o program
"$mogcc" -O1 program.c --emit=elf -o program.elf
"$qemu" program.elf >expected
for device in reference host opencl; do
    "$mogrun" -n 1 --device=$device ./program >"$device"
    diff -u expected "$device" || { echo "$device differs from qemu"; exit 1; }
done
echo "$(wc -l <expected) instruction variants agree"

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
compare() {
    "$mogrun" "$@" ./program >actual
    diff -u expected actual || { echo "mogrun $* differs from qemu"; exit 1; }
}
compare -n 1 --device=reference
compare -n 1 --device=host
compare -n 1 --device=opencl --engine=switch
# As on a GPU: the sequence of subinterpreters, memory interleaved between lanes.
compare -n 1 --device=opencl --engine=sequence --warp=32
echo "$(wc -l <expected) instruction variants agree"

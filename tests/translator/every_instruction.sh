#!/bin/sh
# every_instruction.sh PYTHON QEMU MOGCC MOGRUN: each row of mips.def gives qemu's results on every device.
set -eu
python=$1 qemu=$2 mogcc=$3 mogrun=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$python" "$here/every_instruction.py" program.c
compare() {
    "$mogrun" "$@" ./program >actual
    diff -u expected actual || { echo "mogrun $* differs from qemu"; exit 1; }
}
# Once as it is, once in all rounding modes and with the exceptions.
for variant in "" -DFCSR; do
    # With g++ for all of the program's own functions, as mogcc does where nothing is compiled while a program runs: what the library has besides
    # would take three times as long, and is none of these rows.
    # shellcheck disable=SC2086
    MOG_NATIVE=none "$mogcc" -O1 --order-time=0.001 --simd=none $variant program.c -o program
    # shellcheck disable=SC2086
    MOG_NATIVE=none "$mogcc" -O1 --order-time=0.001 --simd=none $variant program.c --emit=cpp -o program.cpp
    grep -oE '^void test_[0-9]+' program.c | sed 's/^void //' | sort -u >rows
    grep -oE '\btest_[0-9]+\b' program.cpp | sort -u | comm -23 rows - >interpreted
    [ -s rows ] && [ ! -s interpreted ] || { echo "these rows are not compiled:"; cat interpreted; exit 1; }
    # shellcheck disable=SC2086
    "$mogcc" -O1 $variant program.c --emit=elf -o program.elf
    "$qemu" program.elf >expected
    compare -n 1 --device=reference
    compare -n 1 --device=host --engine=switch
    compare -n 1 --device=host --engine=blocks
    compare -n 1 --device=opencl --engine=switch
    # As on a GPU: the sequence of subinterpreters, memory interleaved between lanes.
    compare -n 1 --device=opencl --engine=sequence --warp=32
done
echo "$(wc -l <expected) instruction variants agree"

#!/bin/sh
# small_pocl.sh MOGCC MOGRUN SMALL_POCL PROGRAM: kernels are compiled by the PoCL that small_pocl.py makes, of less than a tenth of the
# functions and a fifth of their header, and of no others; it is made once. Exit status 77: there is no OpenCL device, or no PoCL.
set -eu
mogcc=$1 mogrun=$2 small_pocl=$3 program=$4
"$mogrun" --list-devices | grep -q '^opencl' || { echo "skipped: no OpenCL device"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset OCL_ICD_VENDORS
vendors=$("$small_pocl" pocl 2>said) || { echo "skipped: $(cat said)"; exit 77; }
functions=$(find "$vendors/../share/pocl" -type f -name 'kernel-*.bc')
[ "$(echo "$functions" | wc -l)" -eq 1 ]
whole=$(dirname "$(readlink "$vendors/../share/pocl/include/pocl.h")")
small() { # small FILE WHOLE TIMES
    [ $(($(stat -c %s "$1") * $3)) -lt "$(stat -c %s "$2")" ] || { echo "it is not small"; ls -l "$1" "$2"; exit 1; }
}
small "$functions" "$whole/../$(basename "$functions")" 10
small "$vendors/../share/pocl/include/opencl-c.h" "$whole/opencl-c.h" 5
[ "$("$small_pocl" pocl)" = "$vendors" ]
[ -f "$functions" ]

"$mogcc" -O1 --order-time=0 "$program" -o program
"$mogrun" -n 3 --device=reference ./program | sort >expected
run() { MOG_CACHE_DIR=cache POCL_CACHE_DIR=$1 OCL_ICD_VENDORS=$vendors "$mogrun" -n 3 --device=opencl --engine=sequence ./program | sort; }
run first | cmp - expected
# These are the functions that are read.
: >"$functions"
if run second 2>said | cmp -s - expected; then
    echo "a kernel has functions from elsewhere"
    exit 1
fi

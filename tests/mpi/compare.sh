#!/bin/sh
# compare.sh MOGCC MOGRUN WORK PROGRAM.c DEVICES: an MPI program prints PROGRAM.out on each device (separated by spaces) at 1, 4 and 64 ranks.
# "native" as a device: with the system's mpicc and mpirun, at 4 ranks; without them the test is skipped.
set -u
mogcc=$1 mogrun=$2 work=$3 source=$4
shift 4
name=$(basename "$source" .c)
mkdir -p "$work"
failures=0

check() {       # what, status
    if [ "$2" -ne 0 ] || ! cmp -s "${source%.c}.out" "$work/$name.got"; then
        echo "$1: status $2, output (< expected):"
        diff "${source%.c}.out" "$work/$name.got"
        head -n 20 "$work/$name.err"
        failures=$((failures + 1))
    fi
}

for device in "$@"; do
    if [ "$device" = native ]; then
        command -v mpicc >/dev/null && command -v mpirun >/dev/null || { echo "skipped: no mpicc, no mpirun"; exit 77; }
        mpicc -O1 -w "$source" -o "$work/$name.native" -lm || exit 1
        # Open MPI wants to be asked for more ranks than processors, and by root.
        oversubscribe=$(mpirun --version | grep -q "Open MPI" && echo --oversubscribe)
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun $oversubscribe -np 4 "$work/$name.native" \
            >"$work/$name.got" 2>"$work/$name.err" </dev/null
        check "native, 4 ranks" $?
        continue
    fi
    binary=$work/$name.$(echo "$device" | tr -c 'a-z0-9\n' _)
    "$mogcc" -O2 -Wall -Werror "$source" -o "$binary" -lm || exit 1
    for ranks in 1 4 64; do
        "$mogrun" -n $ranks --device="$device" "$binary" >"$work/$name.got" 2>"$work/$name.err" </dev/null
        check "$device, $ranks ranks" $?
    done
done
[ $failures -eq 0 ]

#!/bin/sh
# compare.sh MOGRUN WORK PROGRAM.c DEVICES: WORK/PROGRAM, compiled by mogcc, prints PROGRAM.out on each device at 1, 4 and 64 ranks.
# MOG_TEST_ENGINE: the engine, if not that of a user's choice.
# "native" as a device: with the system's mpicc and mpirun, at 4 ranks; without them the test is skipped.
set -u
mogrun=$1 work=$2 source=$3
shift 3
name=$(basename "$source" .c)
outputs=$(mktemp -d "$work/compare.XXXXXX")
trap 'rm -rf "$outputs"' EXIT
failures=0

check() {       # what, status
    if [ "$2" -ne 0 ] || ! cmp -s "${source%.c}.out" "$outputs/$name.got"; then
        echo "$1: status $2, output (< expected):"
        diff "${source%.c}.out" "$outputs/$name.got"
        head -n 20 "$outputs/$name.err"
        failures=$((failures + 1))
    fi
}

for device in "$@"; do
    if [ "$device" = native ]; then
        command -v mpicc >/dev/null && command -v mpirun >/dev/null || { echo "skipped: no mpicc, no mpirun"; exit 77; }
        mpicc -O1 -w "$source" -o "$outputs/$name.native" -lm || exit 1
        # Open MPI wants to be asked for more ranks than processors, and by root.
        oversubscribe=$(mpirun --version | grep -q "Open MPI" && echo --oversubscribe)
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun $oversubscribe -np 4 "$outputs/$name.native" \
            >"$outputs/$name.got" 2>"$outputs/$name.err" </dev/null
        check "native, 4 ranks" $?
        continue
    fi
    for ranks in 1 4 64; do
        "$mogrun" -n $ranks --device="$device" ${MOG_TEST_ENGINE:+--engine=$MOG_TEST_ENGINE} "$work/$name" >"$outputs/$name.got" 2>"$outputs/$name.err" </dev/null
        check "$device, $ranks ranks" $?
    done
done
[ $failures -eq 0 ]

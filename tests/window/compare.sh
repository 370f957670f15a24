#!/bin/sh
# compare.sh NATIVE PROGRAM MOGRUN PES OPTION...: with so many PEs, and these options of mogrun, PROGRAM prints what NATIVE does with as many
# processes of Linux.
set -u
native=$1 program=$2 mogrun=$3 pes=$4
shift 4
expected=$("$native" "$pes") || { echo "natively: status $?"; exit 1; }
got=$(timeout 100 "$mogrun" -n "$pes" "$@" "$program" </dev/null)
status=$?
[ $status -eq 3 ] && { echo "skipped: no such device here"; exit 77; }
[ $status -eq 0 ] && [ "$got" = "$expected" ] && exit 0
echo "status $status; expected:"
echo "$expected"
echo "got:"
echo "$got"
exit 1

#!/bin/sh
# plain.sh MOGAS PROGRAM: what is generated for a program without shared memory knows of none.
set -eu
for kind in opencl cuda cpp; do
    "$1" "$2" --emit=$kind >"$2.$kind"
    [ -s "$2.$kind" ] || { echo "nothing is generated for $kind"; exit 1; }
    if grep -n "SHARED_AT\|MAPPED_ACCESS\|define SPACES_PARAMETER ," "$2.$kind"; then
        echo "$kind: the interpreter asks for shared memory"
        exit 1
    fi
done

#!/bin/sh
# missing.sh MOGRUN MOGMPICC WORK SOURCE: a function that is not built links, gives its error class, and is named where errors are fatal.
set -u
"$2" -O1 "$4" -o "$3/missing" || exit 1
got=$("$1" -n 1 --device=reference "$3/missing" 2>&1)
echo "$got"
echo "$got" | grep -q '^unsupported$' && echo "$got" | grep -q 'MPI_Open_port: the number of PEs is that of the run'

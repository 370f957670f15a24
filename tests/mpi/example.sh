#!/bin/sh
# example.sh MOGRUN MOGMPICC WORK EXAMPLE.c RANKS...: the example prints its expected.txt at any number of ranks.
set -eu
mogrun=$1 compiler=$2 work=$3 source=$4
shift 4
name=$(basename "$source" .c)
mkdir -p "$work/$name.run"
cd "$work/$name.run"
openmp=
if grep -q '^ *#pragma omp' "$source"; then openmp=-fopenmp; fi
# shellcheck disable=SC2086
"$compiler" -O2 --order-time=0.001 -Wall -Werror $openmp "$source" -o "$name" -lm
for ranks in "$@"; do
    "$mogrun" -n "$ranks" --device=host "./$name" </dev/null >got
    cmp "${source%/*}/expected.txt" got || { echo "at $ranks ranks:"; cat got; exit 1; }
done

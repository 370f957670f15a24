#!/bin/sh
# compiler.sh OPTION...: the C++ compiler for kernels; that it refused one is noted in $FAILED, for kernels that cannot be compiled are interpreted.
# The largest, all of mathematics, are not optimised: that takes two minutes, and what they are made of is in the others, too.
for source; do
    case $source in *.cpp) [ "$(wc -c <"$source")" -lt 150000 ] || set -- "$@" -O0 ;; esac
done
c++ "$@" || { status=$?; echo "c++ $*" >>"$FAILED"; exit $status; }

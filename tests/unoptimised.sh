#!/bin/sh
# unoptimised.sh OPTION...: this machine's C++ compiler as MOG calls it, but nothing is optimised: see mog_code_soon() in CMakeLists.txt.
exec c++ "$@" -O0

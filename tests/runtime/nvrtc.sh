#!/bin/sh
# nvrtc.sh MOGCC NVRTC_CHECK PROGRAM.c: NVRTC makes machine code of a program's CUDA source, for old and new devices. Skipped (77) where it
# is not installed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -O2 --emit=cuda "$3" -o "$work/program.cu" -lm
MOG_CACHE_DIR=$work/cache "$2" "$work/program.cu"

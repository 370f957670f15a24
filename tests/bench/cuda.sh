#!/bin/sh
# Every bench program with a rank's work also compiles as a CUDA kernel. Skipped where there is no nvcc.
# Usage: cuda.sh PROGRAMS NVCC
set -e
if [ ! -x "$2" ]; then
    echo "skipped: no nvcc"
    exit 77
fi
count=0
for source in $(grep -l '^FUNCTION unsigned work' "$1"/*.c); do
    ptx=$("$2" -x cu -ptx -O2 --fmad=false -arch=sm_80 "$source" -o -)
    case $ptx in
        *bench_kernel*) count=$((count + 1)) ;;
        *) echo "$source: no kernel"; exit 1 ;;
    esac
done
echo "$count kernels"
[ "$count" -ge 17 ]

#!/bin/sh
# test_gpu.sh SOURCES BUILD EMULATION: scripts/test-gpu with a kit of one program, on tests/cuda's stand-in for a card; then with a wrong
# expectation, which it must find; then where there is no card.
set -eu
sources=$1 build=$2 emulation=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MOG_CACHE_DIR=$work/cache
export MOG_CACHE_DIR
"$sources/scripts/test-gpu" --build "$build" --make-kit "$work/kit" --no-bench --only division
[ -x "$work/kit/test-gpu" ]
run() {
    MOG_CUDA_DRIVER=$emulation MOG_NVRTC=$emulation "$work/kit/test-gpu" --kit "$work/kit" --no-bench --engine blocks --device cuda:0 \
        --jobs 2 --results "$work/report.md"
}
run
grep -q '2 runs of 1 programs, 1 and 40 PEs, blocks: 0 differ' "$work/report.md"
grep -q 'isa_effects ops.txt cuda native: as the reference machine' "$work/report.md"

sed -i 's/"status": 0/"status": 1/g' "$work/kit/kit.json"
rm -rf "$work/kit/isa"
mkdir "$work/kit/isa"
if run; then
    echo "a difference was not found"
    exit 1
fi
grep -q '2 differ from the reference machine' "$work/report.md"

status=0
MOG_CUDA_DRIVER=$work/none.so OCL_ICD_VENDORS=$work "$work/kit/test-gpu" --kit "$work/kit" --no-bench || status=$?
[ "$status" -eq 77 ]

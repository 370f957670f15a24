#!/bin/sh
# test_gpu.sh SOURCES BUILD EMULATION: scripts/test-gpu with a kit of some programs, on tests/cuda's stand-in for a card; then with a wrong
# expectation, which it must find; with no time, which it must say; then where there is no card.
set -eu
sources=$1 build=$2 emulation=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MOG_CACHE_DIR=$work/cache
export MOG_CACHE_DIR
parts="--section programs --section mpi --section goldens --section service"
"$sources/scripts/test-gpu" --build "$build" --make-kit "$work/kit" $parts --section instructions --only division \
    --only topologies --only null_read >"$work/made"
[ -x "$work/kit/test-gpu" ]
run() {
    MOG_EMULATED_CUDA=memory=16G MOG_CUDA_DRIVER=$emulation MOG_NVRTC=$emulation "$work/kit/test-gpu" --kit "$work/kit" --engine blocks \
        --device cuda:0 --jobs 2 --timeout 200 --pes 64 --only division --only topologies --only null_read --results "$work/report.md" "$@"
}
has() {
    grep -qE "$1" "$work/report.md" || { echo "the report does not say \"$1\":"; cat "$work/report.md"; exit 1; }
}
run $parts
has 'programs by blocks: 3 runs, 0 differ$'
has 'programs of MPI: 7 runs, 0 differ$'
has 'faults and other ends: 1 runs, 0 differ$'
has '^- cuda:0: .getppid. by 256 PEs, --service=concurrent: [0-9.]+ million'
has 'the others of 64 compute, --service=clean: the last line after'
run --section instructions
has 'isa_effects ops.txt cuda native: as it should be'

sed -i 's/"status": 0/"status": 1/g' "$work/kit/kit.json"
sed -i 's/^/not /' "$work/kit/tests/mpi/topologies.out"
if run --section programs --section mpi >"$work/said"; then
    echo "a difference was not found"
    exit 1
fi
has 'programs by blocks: 3 runs, 3 differ'
has 'programs of MPI: 7 runs, 7 differ'
grep -q 'status 1 by the reference machine, 0 by this' "$work/said"

status=0
run --section programs --minutes 0.0001 >"$work/said" || status=$?
[ "$status" -eq 1 ]
has 'programs by blocks: 0 runs, 0 differ; no time for 3 more'

status=0
MOG_CUDA_DRIVER=$work/none.so OCL_ICD_VENDORS=$work "$work/kit/test-gpu" --kit "$work/kit" || status=$?
[ "$status" -eq 77 ]

#!/bin/sh
# mog_on_mog.sh MOGCC MOGRUN MOGCUDA LIBMOGCUDA EMULATION EXAMPLES BENCH: MOG's kernels for CUDA, made PTX by clang and run by libmogcuda, do
# what they do on other devices: served between launches and while they run, with code from the run-time compiler and with code that mogcc embedded
# (mogcuda in nvcc's place); and what C++ makes of the same source in the emulation. Exit status 77: there is no clang.
set -u
mogcc=$1 mogrun=$2 mogcuda=$3 library=$4 emulation=$5 examples=$6 bench=$7
command -v "${MOG_CLANG:-clang++}" >/dev/null || { echo "skipped: this wants clang++; on Debian: apt-get install clang"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export MOG_CACHE_DIR="$folder/cache"
status=0

# WHAT EXPECTED GOT
same() {
    cmp -s "$2" "$3" && return
    echo "$1: other output:"
    diff "$2" "$3" | head -10
    status=1
}
# DEVICE OPTIONS...: a run of 40 PEs, its lines in order.
run() {
    output=$1
    shift
    MOG_DEVICE=cuda "$mogrun" -n 40 --mem=1M "$@" >"$folder/unsorted" || { echo "$output: status $?"; status=1; }
    sort -n "$folder/unsorted" >"$folder/$output"
}

# Integers, memory and output; floats, recursion.
"$mogcc" -O2 "$examples/nqueens/nqueens.c" -o "$folder/nqueens" || exit 1
"$mogcc" -O2 "$bench/raytracer.c" -o "$folder/raytracer" -lm || exit 1
for program in nqueens raytracer; do
    "$mogrun" -n 40 --device=reference "$folder/$program" 7 | sort -n >"$folder/$program.reference"
    MOG_CUDA_DRIVER=$library MOG_NVRTC=$library run $program.clean --service=clean "$folder/$program" 7
    MOG_CUDA_DRIVER=$library MOG_NVRTC=$library run $program.concurrent --service=concurrent "$folder/$program" 7
    for way in clean concurrent; do same "$program, $way" "$folder/$program.reference" "$folder/$program.$way"; done
done
MOG_CUDA_DRIVER=$emulation MOG_NVRTC=$emulation run raytracer.emulation "$folder/raytracer" 7
same "raytracer, emulation" "$folder/raytracer.reference" "$folder/raytracer.emulation"

# Copies of loops for warps that agree: entered on libmogcuda, where lanes do, and by each lane alone in the emulation. They are not there unless
# they are asked for.
"$mogcc" -O2 "$bench/sieve.c" -o "$folder/sieve" || exit 1
"$mogrun" -n 40 --device=reference "$folder/sieve" | sort -n >"$folder/sieve.reference"
for how in guarded simple off; do
    MOGCUDA_STATS=json MOG_CUDA_DRIVER=$library MOG_NVRTC=$library run sieve.$how --divergence=$how "$folder/sieve" 2>"$folder/counts.$how"
    same "sieve, $how" "$folder/sieve.reference" "$folder/sieve.$how"
done
grep -q '"mog_run".*"shfl": [1-9]' "$folder/counts.guarded" || { echo "no copy was entered:"; cat "$folder/counts.guarded"; status=1; }
grep -q '"mog_run".*"shfl"' "$folder/counts.off" && { echo "there are copies though they are off"; status=1; }
for program in nqueens sieve; do
    MOG_CUDA_DRIVER=$emulation MOG_NVRTC=$emulation run $program.together --divergence=guarded "$folder/$program" $([ $program = nqueens ] && echo 7)
    same "$program, emulation, copies" "$folder/$program.reference" "$folder/$program.together"
done

# Code that mogcc embedded: no run-time compiler is asked.
MOG_NVCC=$mogcuda "$mogcc" -O2 --device=cuda --cuda-arch=compute_75 "$examples/nqueens/nqueens.c" -o "$folder/embedded" || exit 1
MOG_CUDA_DRIVER=$library MOG_NVRTC=/nowhere run nqueens.embedded "$folder/embedded" 7
same embedded "$folder/nqueens.reference" "$folder/nqueens.embedded"

# The same source as a kernel of its own. Multiplications and additions that are contracted give other pictures, which is why nvcc's kernel has
# other checksums than gcc's program.
export BENCH_RANKS=40
gcc -O2 "$bench/raytracer.c" -o "$folder/native" -lm && "$folder/native" >"$folder/native.txt" || exit 1
"$mogcuda" -O2 --fmad=false -x cu "$bench/raytracer.c" -o "$folder/kernel" && "$folder/kernel" >"$folder/kernel.txt" 2>/dev/null || exit 1
same "raytracer, a kernel that does not contract" "$folder/native.txt" "$folder/kernel.txt"
"$mogcuda" -O2 -x cu "$bench/raytracer.c" -o "$folder/kernel" && "$folder/kernel" >"$folder/kernel.txt" 2>/dev/null || exit 1
if cmp -s "$folder/native.txt" "$folder/kernel.txt"; then
    echo "raytracer: contraction changes nothing, so docs/cuda.md explains nothing"
    status=1
fi
exit $status

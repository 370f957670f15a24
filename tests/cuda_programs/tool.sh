#!/bin/sh
# tool.sh MOGCUDA SOURCES: what the tool itself does: steps of compilations, options of nvcc, what it refuses, runs that are checked and counted.
# Exit status 77: there is no clang.
set -u
mogcuda=$1 sources=$2
command -v "${MOG_CLANG:-clang++}" >/dev/null || { echo "skipped: this wants clang++; on Debian: apt-get install clang"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
status=0
wrong() {
    echo "$@"
    status=1
}
# STATUS TEXT COMMAND...: the command ends with this status and says this on standard error.
says() {
    wanted=$1 text=$2
    shift 2
    "$@" >out 2>err
    got=$?
    [ $got = "$wanted" ] || wrong "$*: status $got, not $wanted: $(cat err)"
    grep -qF -- "$text" err || wrong "$*: does not say: $text; but: $(cat err)"
}

# Steps.
cat >one.cu <<'END'
#include <cstdio>
int two(int);
__global__ void store(int *to) { *to = 40; }
int main() {
    int *memory, value;
    cudaMalloc(&memory, sizeof *memory);
    store<<<1, 1>>>(memory);
    cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("%d\n", two(value));
}
END
cat >two.cu <<'END'
__global__ void add(int *to) { *to += 2; }
int two(int value) {
    int *memory;
    cudaMallocManaged(&memory, sizeof *memory);
    *memory = value;
    add<<<1, 1>>>(memory);
    cudaDeviceSynchronize();
    return *memory;
}
END
"$mogcuda" -c one.cu && "$mogcuda" -c two.cu -o second.o && "$mogcuda" one.o second.o -o both && [ "$(./both)" = 42 ] || wrong "objects and a program of them"
"$mogcuda" -O3 -std=c++17 -arch=sm_75 --expt-relaxed-constexpr -Xcompiler -Wall,-Wextra -Xptxas -v -lineinfo one.cu two.cu -o both -lcudart && [ "$(./both)" = 42 ] ||
    wrong "options of nvcc"
"$mogcuda" --ptx -gencode arch=compute_70,code=sm_70 one.cu -o - | grep -q '^\.target sm_70' || wrong "--ptx and an architecture"
cat >arch.cu <<'END'
__global__ void f(int *to) { *to = __CUDA_ARCH__; }
#ifndef __CUDACC__
#error a source in CUDA does not know that it is one
#endif
END
"$mogcuda" --ptx arch.cu -o - | grep -q '800;' || wrong "__CUDA_ARCH__"

# What is refused, with a sentence.
says 2 "cannot run here" "$mogcuda" one.cu -lcublas
says 2 "put them into one source" "$mogcuda" -rdc=true one.cu
says 2 "there is neither a source nor a program" "$mogcuda" -O2
says 2 "there is no such option of runs" "$mogcuda" run --quickly ./both
# A program that holds what NVIDIA's static runtime holds: the registration, and no library.
cat >static.c <<'END'
int main(void) { return 0; }
void __cudaRegisterFatBinary(void) {}
END
gcc static.c -o static && says 1 "relink with -cudart shared" "$mogcuda" ./static

# A program with NVIDIA's container inside, linked with a shared runtime of version 12: a stand-in for cuobjdump gives its PTX, and the folder with our
# libcudart.so.12 is the one that mogcuda adds.
"$mogcuda" --ptx one.cu -o one.ptx
"$mogcuda" -### one.cu 2>commands
printf '\120\355\125\272 and machine code' >container
names=$(dirname "$mogcuda")/../lib/mog/cuda
sed -n '2s, "-Xclang" "[^"]*\.ptx" , "-Xclang" "container" ,p' commands | sed 's,"-o".*,"-o" "packed.o",' >host_command
sed '/^int two/d' one.cu | sed 's/two(value)/value + 2/' >single.cu
sed -i 's,"one.cu","single.cu",' host_command
if sh host_command && c++ packed.o "$names/libcudart.so.12" -o packed; then
    mkdir bin
    printf '#!/bin/sh\ncp "%s/one.ptx" packed.1.sm_80.ptx\n' "$folder" >bin/cuobjdump
    chmod +x bin/cuobjdump
    PATH=$folder/bin:$PATH "$mogcuda" ./packed >out 2>err && [ "$(cat out)" = 42 ] || wrong "a program with a shared runtime: $(cat out err)"
    says 0 "run it by \`mogcuda PROGRAM\`" env LD_LIBRARY_PATH="$names" ./packed
else
    wrong "a program with a shared runtime does not link"
fi

# A fault of a kernel is an error with a place, and all calls after it fail.
cat >fault.cu <<'END'
#include <cstdio>
__global__ void store(int *to) { to[threadIdx.x] = 1; }
int main() {
    store<<<1, 32>>>(nullptr);
    const cudaError_t first = cudaDeviceSynchronize();
    void *memory;
    return first == cudaErrorIllegalAddress && cudaMalloc(&memory, 4) == first ? 0 : 1;
}
END
"$mogcuda" fault.cu -o fault && says 0 "fault.cu:2)" ./fault
cat >assertion.cu <<'END'
#include <cassert>
__global__ void check(int n) { assert(n == (int)threadIdx.x); }
int main() {
    check<<<1, 8>>>(3);
    return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;
}
END
"$mogcuda" assertion.cu -o assertion && says 0 "n == (int)threadIdx.x" ./assertion

# Runs that are checked.
"$mogcuda" -O1 "$sources/mistakes.cu" -o mistakes || exit 1
"$mogcuda" --check ./mistakes >out 2>err && wrong "--check: a run with findings succeeds"
sed -n 's,^ *// says: ,,p' "$sources/mistakes.cu" >wanted
while IFS= read -r line; do
    grep -qF -- "$line" err || wrong "--check does not say: $line"
done <wanted
[ $status = 0 ] || cat err
"$mogcuda" run --check ./both >out 2>err && [ ! -s err ] || wrong "--check finds something where nothing is: $(cat err)"
# Blocks that wait for each other are in order.
cat >grid.cu <<'END'
#include <cooperative_groups.h>
__device__ int from[4], sum;
__global__ void tell() {
    if (threadIdx.x == 40) from[blockIdx.x] = blockIdx.x + 1;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 33) sum = from[0] + from[1] + from[2] + from[3];
}
int main() {
    int result = 0;
    if (cudaLaunchCooperativeKernel(tell, dim3(4), dim3(64), nullptr) || cudaMemcpyFromSymbol(&result, sum, sizeof result)) return 1;
    return result != 10;
}
END
"$mogcuda" -O2 grid.cu -o grid && "$mogcuda" run --check ./grid >out 2>err && [ ! -s err ] || wrong "--check finds something where blocks wait: $(cat err)"
# Runs that are counted: 4 blocks of 64 threads, each of which reads a float and writes it 32 bytes apart.
cat >count.cu <<'END'
__global__ void spread(const float *from, float *to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[8 * i] = from[i];
}
__global__ void few(float *to) {
    if (threadIdx.x < 8)
        for (int i = 1; i < 100; ++i) to[threadIdx.x] = to[threadIdx.x] / i + 1;
}
int main() {
    float *from, *to;
    cudaMalloc(&from, 256 * 4);
    cudaMalloc(&to, 8 * 256 * 4);
    spread<<<4, 64>>>(from, to);
    spread<<<4, 64>>>(from, to);
    few<<<1, 32>>>(to);
    return cudaDeviceSynchronize();
}
END
"$mogcuda" -O2 count.cu -o count && says 0 "2 launches, 8 blocks, 512 threads" "$mogcuda" --stats ./count
# 16 warps: 4 sectors for what they read, 32 for what they write.
says 0 '"global_accesses": 32, "global_sectors": 576, ' env MOGCUDA_STATS=json ./count
MOGCUDA_STATS=json ./count 2>&1 | python3 -c '
import json, sys
for kernel in map(json.loads, sys.stdin):
    lanes = kernel["by_lanes"]
    assert len(lanes) == 32 and sum(lanes) == kernel["warp_instructions"], kernel
    assert sum(n * count for n, count in enumerate(lanes, 1)) == kernel["thread_instructions"], kernel
    assert lanes[7] > 99 if kernel["kernel"].find("few") >= 0 else lanes[31] == sum(lanes), kernel' || wrong "counts by lanes"
says 0 "4 blocks, 256 threads" "$mogcuda" --trace ./count
exit $status

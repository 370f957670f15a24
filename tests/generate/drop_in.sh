#!/bin/sh
# drop_in.sh MOGCC LAUNCH_ABI.h MOG.h PROGRAMS COMPILER: the sources that mogcc writes for other builds compile without a warning, for several programs.
# COMPILER is gcc, clang, opencl (clang's) or nvcc; 77 where it is not here.
set -eu
mogcc=$1 launch_abi=$2 mog_h=$3 programs=$4 compiler=$5
case $compiler in
    gcc) tools="gcc g++" ;;
    clang) tools="clang clang++" ;;
    opencl) tools=clang ;;
    nvcc) tools=nvcc PATH=$PATH:/usr/local/cuda/bin ;;
esac
for tool in $tools; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p include/mog
cp "$launch_abi" include/mog
cp "$mog_h" include

quiet() {
    "$@" -Iinclude -I. >output 2>&1 || { echo "$@"; cat output; exit 1; }
    [ ! -s output ] || { echo "$@"; head -c 5000 output; exit 1; }
}

# NAME PROGRAM OPTIONS: a name that is no identifier, code that is compiled, doubles done in other ways, nothing checked.
try() {
    name=$1 program=$2
    shift 2
    MOG_CXX= "$mogcc" -O2 -w --order-time=0.001 --emit=cpp,opencl,cuda "$@" "$program" -o "$name" -lm
    case $compiler in
        gcc | clang)
            if [ $compiler = gcc ]; then c=gcc cxx=g++; else c=clang cxx=clang++; fi
            quiet $cxx -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -fsyntax-only -x c++ "$name.h"
            quiet $c -std=c99 -Wall -Wextra -Wpedantic -c "$name"_image.c -o image.o
            quiet $cxx -x c++ -std=c++17 -Wall -Wextra -Wpedantic -c "$name"_image.c -o image.o
            quiet $cxx -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -fsyntax-only "$name.cpp"
            # Some warnings come with optimisation alone. Of clang two: it takes as long, to say the same about text that g++ has seen.
            case $compiler-$name in gcc-* | clang-2-fft.v1 | clang-values_pair)
                quiet $cxx -std=c++20 -O1 -march=x86-64-v3 -Wall -Wextra -S "$name.cpp" -o code.s
                if grep -q 'vfn*m[as][du]' code.s; then echo "$name.cpp: multiplications and additions were contracted"; exit 1; fi
            esac
            ;;
        opencl)
            # Where the header says that answers go, and where the interpreter has them.
            for row in "ROW_RESULT V0" "ROW_FAILED A3"; do
                register=$(sed -n "s/^#define MOG_REG_${row#* } \([0-9]*u\)$/\1/p" "$name.cl")
                grep -q "_${row% *} (MOG_S_REGS + $register) " "$name.h" || { echo "$name.h lacks ${row% *} of $register"; exit 1; }
            done
            blocks=
            ! grep -q '_entry_of\[' "$name.h" || blocks=-DMOG_ENGINE_BLOCKS
            for options in "" -DMOG_WARP=32u "$blocks -DMOG_CPU" "$blocks -DMOG_CPU -DMOG_HOST_MEMORY" -DMOG_ENGINE_SWITCH; do
                # shellcheck disable=SC2086
                quiet clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -fsyntax-only $options "$name.cl"
            done
            ;;
        nvcc)
            # Machine code takes longest, and has no warnings of its own.
            [ "$name" != hello ] || quiet nvcc -std=c++17 -Xcompiler -Wall,-Wextra -arch=sm_90 -c "$name.cu" -o cuda.o
            quiet nvcc -std=c++17 -ptx "$name.cu" -o cuda.ptx
            quiet nvcc -std=c++17 -x c++ -Xcompiler -Wall,-Wextra -c "$name"_image.c -o image.o
            ;;
    esac
}

try hello "$programs/../../examples/hello/hello.c"
[ "$(cat hello.cu hello.h hello_image.c | wc -c)" -lt 900000 ] || { echo "the sources of a printf program are too large:"; ls -l; exit 1; }
try 2-fft.v1 "$programs/fft.c" --superinstructions=8 --build-time=0
[ "$compiler" = nvcc ] || try values_soft "$programs/double_values.c" --double=soft
[ "$compiler" = nvcc ] || try values_pair "$programs/double_values.c" --double=pair
try unchecked "$programs/fft.c" --unchecked
[ "$compiler" = nvcc ] || try rounding "$programs/rounding_mode.c"
case $compiler in
    gcc | clang)
        # All of a program once; for each compiler and processor a part of it, which has each of the words that the whole has.
        for budget in all 2; do
            "$mogcc" -O2 -w --order-time=0.001 --emit=cpp --simd=portable --build-time=$budget "$programs/fft.c" -o lanes_$budget -lm
            grep -v '^ *#' lanes_${budget}_lanes.cpp | grep -oE '\b[A-Z][A-Z0-9_]+\(' | sort -u >words_$budget
        done
        [ "$(wc -l <words_all)" -gt 50 ] || { echo "few words in the code for lanes:"; cat words_all; exit 1; }
        [ -z "$(comm -23 words_all words_2)" ] || { echo "a part of fft.c has not all words of the whole:"; comm -23 words_all words_2; exit 1; }
        # The whole of one without a library's streams, which has a twelfth of the lines.
        cat >whole.c <<'END'
#include <unistd.h>
static double table[16] = {1, 0.5, 3};
static int (*steps[2])(int);
static int deep(int n) { return n <= 1 ? n : deep(n - 1) + deep(n - 2); }
int main(int argc, char **argv) {
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) {
        table[i] = table[(i + 15) & 15] * 1.25 + i;
        sum += (unsigned)(long long)table[i] ^ (unsigned)deep(i);
        switch (i * argc) {
            case 0: sum++; break;
            case 1: sum *= 3; break;
            case 2: sum ^= 9; break;
            case 3: sum -= 4; break;
            case 4: sum /= 5; break;
            case 5: sum %= 77; break;
        }
        steps[i & 1] = deep;
        if (argv[0][0] != 'x') sum += (unsigned)steps[i & 1](i);
    }
    write(1, &sum, sizeof sum);
    return (int)sum;
}
END
        "$mogcc" -O2 -w --order-time=0.001 --emit=cpp --simd=portable --build-time=all whole.c -o lanes_whole
        quiet $cxx -std=c++17 -march=x86-64-v4 -Wall -Wextra -Wpedantic -Wshadow -fsyntax-only lanes_whole_lanes.cpp
        for march in x86-64 x86-64-v3 x86-64-v4; do
            quiet $cxx -std=c++17 -march=$march -Wall -Wextra -Wpedantic -Wshadow -fsyntax-only lanes_2_lanes.cpp
        done
        # Several of them in one application: nothing that a linker would take from any one of them for all.
        for march in x86-64-v3 x86-64-v4; do quiet $cxx -std=c++17 -march=$march -O0 -c unchecked_lanes.cpp -o $march.o; done
        if nm x86-64-v3.o x86-64-v4.o | grep ' [A-TV-Z] ' | grep -v 'unchecked_.*avx\|__gxx_personality'; then echo "these names are everybody's"; exit 1; fi
        ! "$cxx" -march=x86-64 -mavx512f -Iinclude -Wfatal-errors -fsyntax-only lanes_2_lanes.cpp 2>output
        grep -q 'compile with -march=x86-64-v4' output || { cat output; exit 1; }
        ;;
esac

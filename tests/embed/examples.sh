#!/bin/sh
# examples.sh STEP BUILD SOURCES WORK CMAKE: MOG as a stranger has it. The step `install` puts it into a folder and moves that; each other
# step builds one of examples/embedding/ in a folder of its own, with what was installed alone, and looks at what it does.
set -eu
step=$1 build=$2 sources=$3 work=$4 cmake=$5
prefix=$work/moved

fail() { echo "FAILED: $*" >&2; exit 1; }
same() { [ "$1" = "$2" ] || fail "there is '$1', not '$2'"; }

if [ "$step" = install ]; then
    rm -rf "$work"
    mkdir -p "$work"
    "$cmake" --install "$build" --prefix "$work/first" >/dev/null
    mv "$work/first" "$prefix"
    # The whole name of a folder: where the clone is /tmp/m, /tmp/mog-0 is something else.
    whole() { printf '%s(\\.?[^[:alnum:]_.+-]|\\.?$)' "$(printf %s "$1" | sed 's/[][\.*^$+?(){}|]/\\&/g')"; }
    echo "-I$sources/include" | grep -qE "$(whole "$sources")" || fail "it would not be found"
    ! grep -rIlE -e "$(whole "$build")" -e "$(whole "$sources")" "$prefix" || fail "these files name where they were built"
    exit 0
fi

# Code for lanes takes half of the time to compile.
export MOG_SIMD=none MOG_CACHE_DIR="$work/cache"
unset MOG_NPROC MOG_DEVICE MOG_CXX MOG_SYSROOT MOG_LAUNCHER
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:$prefix/lib64/pkgconfig:$(echo "$prefix"/lib/*/pkgconfig)"
rm -rf "$work/$step"
case $step in
    options) mkdir "$work/$step" ;;
    *) cp -r "$sources/examples/embedding/${step%_static}" "$work/$step" ;;
esac
cd "$work/$step"

generator=Ninja
with_cmake() {
    "$cmake" -S . -B build -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" "$@" >cmake.log 2>&1 || { cat cmake.log; fail "cmake"; }
    "$cmake" --build build >build.log 2>&1 || { cat build.log; fail "build"; }
}
with_make() {
    command -v pkg-config >/dev/null || { echo "skipped: there is no pkg-config"; exit 77; }
    make "$@" >make.log 2>&1 || { cat make.log; fail "make"; }
}

case $step in
    sweep)
        with_cmake
        same "$(build/sweep table.csv host)" "10000 results in table.csv"
        same "$(wc -l <table.csv)" 10001
        # Where the period is known: 1 below 3, 2 from there to 1 + sqrt 6, 3 around 3.84; and where there is none.
        awk -F, 'NR > 1 {
            want = $1 < 2.95 ? 1 : $1 > 3.02 && $1 < 3.44 ? 2 : $1 > 3.83 && $1 < 3.84 ? 3 : -1
            if (want > 0 && $2 != want || want > 0 && $3 >= 0) { print "wrong: " $0; bad = 1 }
            if ($2 == 0 && $3 > 0) chaotic++
        } END { exit bad || chaotic < 500 }' table.csv || fail "table.csv"
        cp table.csv host.csv
        if build/sweep table.csv reference >/dev/null; then cmp table.csv host.csv; else fail "reference"; fi
        same "$(build/sweep /nowhere/table.csv host 2>&1)" "sweep: cannot write /nowhere/table.csv"
        # A change of the program for PEs reaches the host's.
        sed -i 's/return rate \* x/return 1 * x/' logistic.c
        "$cmake" --build build >/dev/null
        build/sweep table.csv host >/dev/null
        ! cmp -s table.csv host.csv || fail "the program was not built again"
        ;;
    native | native_static)
        if [ "$step" = native_static ]; then sed -i 's/mog::mog/mog::mog_static/' CMakeLists.txt; generator='Unix Makefiles'; fi
        with_cmake
        build/native 20 host >out
        tail -n 1 out | grep -qx '40 products in [0-9]* calls of the host.s function' || fail "$(tail -n 1 out)"
        same "$(grep -c 'trace of the fourth power' out)" 20
        # The same powers, worked out here; they repeat every third PE.
        python3 - out <<'END'
import re, sys
n = 12
for line in open(sys.argv[1]):
    found = re.match(r"PE (\d+): .*: (-?\d+)$", line)
    if not found: continue
    pe = int(found[1])
    a = [[2 if i == k else (i * k + pe) % 3 - 1 for k in range(n)] for i in range(n)]
    product = lambda x, y: [[sum(x[i][j] * y[j][k] for j in range(n)) for k in range(n)] for i in range(n)]
    square = product(a, a)
    fourth = product(square, square)
    assert sum(fourth[i][i] for i in range(n)) == int(found[2]), line
END
        case $(ldd build/native) in
            *libmog*) [ "$step" = native ] || fail "it wants the shared library" ;;
            *) [ "$step" = native_static ] || fail "it has no libmog" ;;
        esac
        same "$(build/native 0 2>&1 >/dev/null)" "native: 0 is not a number of PEs from 1 to 16777216"
        ;;
    makefile)
        with_make
        for product in primes primes.mog primes.cl primes.cu; do [ -s $product ] || fail "there is no $product"; done
        grep -q '__global__' primes.cu || fail "primes.cu is not CUDA"
        same "$(./primes 1000)" "0: 168 primes below 1000"
        same "$(make -s test | awk '{ sum += $2 } END { print NR, sum }')" "8 168"
        # A header that changes compiles what includes it.
        touch -d '+2 seconds' sieve.h
        make -n primes | grep -q 'sieve.c' || fail "sieve.h changed, and nothing was to be done"
        ;;
    opencl)
        # Only the loader may be here, without the name that linkers look for.
        OPENCL=$(echo 'int main(void) { return 0; }' | cc -x c - -lOpenCL -o /dev/null 2>/dev/null && echo -lOpenCL || echo -l:libOpenCL.so.1)
        with_make OPENCL="$OPENCL"
        same "$(./host 512 2>err)" "77031 takes longest: 350 steps (found by PE 230 of 512)"
        grep -q launches err
        # Its answers are what a C library wants of them.
        cat >collatz.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct { unsigned number, steps; } longest;
int main(void) {
    char *text = malloc(100);
    int file = open("/etc/passwd", O_RDONLY), refused = errno == ENOSYS, wild = write(1, (void *)16, 100);
    sprintf(text, "PE %d: %.3f, %d %d, %d %d", IPROC, 1.0 / (IPROC + 1), file, refused, wild, errno == EFAULT);
    if (IPROC == 2) for (int i = 0; i < 500; i++) printf("a long line of output, ");
    puts(text);
    longest.steps = IPROC;
    return IPROC;
}
END
        make OPENCL="$OPENCL" >make.log 2>&1 || { cat make.log; fail "make"; }
        ./host 4 >out 2>err || { cat err; fail "host"; }
        same "$(grep -o 'PE .: .*1$' out | sort | paste -sd ';')" \
            "PE 0: 1.000, -1 1, -1 1;PE 1: 0.500, -1 1, -1 1;PE 2: 0.333, -1 1, -1 1;PE 3: 0.250, -1 1, -1 1"
        # Pieces of a long line may have others' lines between them.
        same "$(sed '$d' out | wc -c)" "$((500 * 23 + 4 * 24))"
        rm collatz.cl
        same "$(./host 4 2>&1)" "cannot read collatz.cl"
        ;;
    cuda)
        command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
        command -v nvcc >/dev/null || { echo "skipped: there is no nvcc"; exit 77; }
        with_make VPATH="$sources/examples/embedding/opencl" NVCCFLAGS="-O0 -std=c++17 -arch=sm_90"
        if grep -i warning make.log; then fail "warnings"; fi
        if [ -e /dev/nvidiactl ]; then same "$(./host 512 2>err)" "77031 takes longest: 350 steps (found by PE 230 of 512)"; fi
        ;;
    sources)
        unset MOG_SIMD
        with_make
        if grep -i warning make.log; then fail "warnings"; fi
        # The same, worked out here.
        want=$(python3 - <<'END'
def throws(seed):
    state, count = seed, 0
    def dice():
        nonlocal state
        state = (state * 1664525 + 1013904223) % 2**32
        return (state >> 16) % 6
    while True:
        count += 1
        if dice() == dice(): return count
counts = [throws(seed) for seed in range(1, 1001)]
print(f"{sum(counts)} throws on 1000 PEs; the last one says: seed 1000: {counts[-1]} throws")
END
)
        # The interpreters are in it, as the build compiled them: nothing else is read.
        mkdir elsewhere
        mv app elsewhere
        for device in host reference; do same "$(cd elsewhere && ./app $device)" "$want"; done
        if elsewhere/app opencl rolls.cl >out 2>err; then
            same "$(cat out)" "$want"
            case $(elsewhere/app opencl 2>&1) in *"has no OpenCL interpreter in it"*) ;; *) fail "where is its OpenCL interpreter from?" ;; esac
        else
            grep -q 'OpenCL is not' err || fail "$(cat err)"
        fi
        # Code for lanes is found where it is linked in, on processors that have what it was compiled for.
        sed -i 's/.set("mem", "64K")/&.set("engine", "lanes")/' app.cpp
        make >make.log 2>&1 || { cat make.log; fail "make"; }
        if ./app host >out 2>err; then same "$(cat out)" "$want"; else grep -q 'needs a processor with AVX2' err || fail "$(cat err)"; fi
        case $(MOG_SIMD=portable ./app host 2>&1) in *"needs a processor with AVX2"*) ;; *) fail "AVX2 was taken for nothing" ;; esac
        sed 's/rolls_lanes.o rolls/rolls/' Makefile >without.mk
        rm app
        make -f without.mk >make.log 2>&1 || { cat make.log; fail "make"; }
        case $(./app host 2>&1) in *"NAME_lanes.cpp of mogcc --emit=cpp"*) ;; *) fail "there should be no code for lanes" ;; esac
        sed -i 's/.set("engine", "lanes")//' app.cpp
        # What is edited is what runs.
        sed -i 's/^\( *q\[MOG_Q_STOP\] = \)stop;/\1(u32)MOG_STOP_ILLEGAL;/' rolls.cpp
        make >make.log 2>&1 || { cat make.log; fail "make"; }
        case $(./app host) in *"the last one says: ") ;; *) fail "rolls.cpp was edited, and nothing changed" ;; esac
        # Parts of different programs are told from each other.
        sed 's/== dice/!= dice/' rolls.c >other.c
        cp rolls.cpp old.cpp
        "$prefix/bin/mogcc" -O1 --emit=cpp other.c -o rolls
        cp old.cpp rolls.cpp
        make >make.log 2>&1 || { cat make.log; fail "make"; }
        case $(./app host 2>&1) in *"not of the same run of mogcc"*) ;; *) fail "mixed parts were taken" ;; esac
        ;;
    options)
        # What else mog_add_program() takes, and what it says to mistakes.
        mkdir include
        printf '#define FACTOR 6\n' >include/factor.h
        printf '#include "factor.h"\n#include <math.h>\n#include <stdio.h>\nint main(void) { printf("%%g\\n", cbrt(FACTOR * SEVEN)); }\n' >answer.c
        project() { printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES C)\nfind_package(mog 0.1 REQUIRED)\n%s\n' "$*" >CMakeLists.txt; }
        common='SOURCES answer.c OPTIONS -O1 DEFINITIONS SEVEN=7 INCLUDE_DIRECTORIES include LIBRARIES -lm'
        project "mog_add_program(cl $common DEVICE opencl EMIT image mog)
                 mog_add_program(cu $common DEVICE cuda EMIT cpp)
                 set_property(GLOBAL PROPERTY RULE_MESSAGES OFF)"
        with_cmake
        for product in cl cl.cl cl.image cl.mog cu cu.cu cu.cpp; do [ -s build/mog/$product ] || fail "there is no $product"; done
        same "$(MOG_DEVICE=reference build/mog/cl)" 3.47603
        same "$(MOG_DEVICE=reference "$prefix/bin/mogrun" -n 1 build/mog/cl.image)" 3.47603
        # The device host needs no code in a program; what mogcc is asked to compile for it stays out of one that is for others.
        same "$(MOG_DEVICE=host build/mog/cu)" 3.47603
        compiled=$(printf %s "$common" | sed "s/-O1/-O1 --build-time=1/")
        project "mog_add_program(with $compiled DEVICE host)
                 mog_add_program(without $compiled DEVICE cuda)"
        with_cmake
        [ "$(stat -c %s build/mog/with)" -gt $(($(stat -c %s build/mog/without) + 10000)) ] || fail "DEVICE cuda left the native code in"
        refuses() {
            project "$2"
            "$cmake" -S . -B refused -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >out 2>&1 && fail "accepted: $2"
            tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$1" || { cat out; fail "no '$1'"; }
        }
        refuses 'DEVICE "abacus" is none of all, host, opencl, cuda' 'mog_add_program(p SOURCES answer.c DEVICE abacus)'
        refuses 'SOURCES are missing' 'mog_add_program(p DEVICE host)'
        refuses '"answer.c" is none of' 'mog_add_program(p answer.c)'
        refuses 'EMIT "elf" is none of' 'mog_add_program(p SOURCES answer.c EMIT elf)'
        refuses 'has made no q' 'mog_link_program(p q)'
        # Projects of older CMakes, in folders with spaces: what has changed is built, and nothing else.
        mkdir "a folder"
        cp -r answer.c include "a folder"
        cd "a folder"
        project "mog_add_program(answer $common DEVICE opencl)"
        sed -i 's/3\.25/3.16/' CMakeLists.txt
        for generator in Ninja 'Unix Makefiles'; do
            rm -rf build
            printf '#define FACTOR 6\n' >include/factor.h
            with_cmake
            ! grep -i warning cmake.log || fail "CMake warns"
            same "$(MOG_DEVICE=reference build/mog/answer)" 3.47603
            "$cmake" --build build >again.log
            ! grep Compiling again.log || fail "it is built again though nothing has changed"
            touch -d '-10 seconds' build/mog/answer.objects/*.o build/mog/answer build/mog/answer.cl
            printf '#define FACTOR 18\n' >include/factor.h
            "$cmake" --build build >again.log
            same "$(MOG_DEVICE=reference build/mog/answer)" 5.0133
        done
        ;;
    *)
        fail "there is no step $step"
        ;;
esac

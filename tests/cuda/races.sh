#!/bin/sh
# races.sh MOGCC MOGRUN EMULATION PROBE CXX: the CUDA interpreter under ThreadSanitizer, each lane a thread of its own: no races in
# mog_init, mog_run and mog_transfer, by sequence and compiled blocks, with calls served between launches and while others run; and races of kernels
# that have some are found. Skipped (77) where the compiler has no ThreadSanitizer, or it does not run here.
set -u
mogcc=$1 mogrun=$2 probe=$4 cxx=$5
export MOG_CUDA_DRIVER="$3" MOG_NVRTC="$3" MOG_EMULATED_CUDA= MOG_CXX="$cxx"
# All threads have ended when a program does: it need not wait a second for what they might yet do.
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 atexit_sleep_ms=0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export MOG_CACHE_DIR="$work/cache"
failures=0
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}
skip() {
    echo "skipped: $1"
    exit 77
}

echo 'int main() { return 0; }' >empty.cpp
"$cxx" -fsanitize=thread empty.cpp -o empty 2>/dev/null || skip "$cxx has no ThreadSanitizer"
./empty || skip "ThreadSanitizer does not run here"
library=$(readlink -f "$("$cxx" -print-file-name=libtsan.so)")
[ -e "$library" ] || skip "$cxx has no libtsan.so"
watched() { LD_PRELOAD=$library timeout -s KILL 120 "$@"; }

# What is watched has to be seen.
for kernel in good_warp good_barriers good_block good_atomic no_barrier vote one_barrier warp_for_block not_atomic between_blocks; do
    watched "$probe" $kernel >out 2>&1
    got=$?
    case $kernel in
        good_*) [ $got -eq 0 ] || fail "$kernel has no race, and status $got: $(head -n 12 out)" ;;
        *) { [ $got -eq 66 ] && grep -q 'ThreadSanitizer: data race' out; } || fail "the race in $kernel is not found: status $got" ;;
    esac
done

cat >program.c <<'C'
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static double sum(const double *x, int n) { return n ? x[0] + sum(x + 1, n - 1) : 0; }
int main(void)
{
    double *x = malloc(50 * sizeof *x);
    char text[64];
    unsigned hash = 1u + (unsigned)IPROC;
    for (int i = 0; i < 50; i++) x[i] = i * IPROC;
    for (int i = 0; i < (IPROC % 7 + 1) * 300; i++) hash = hash * 1664525u + (hash >> 7);
    getcwd(text, sizeof text);
    printf("%d: %g %08x %d %d\n", IPROC, sum(x, 50), hash, getppid(), strcmp(text, ""));
    if (IPROC == 9) *(volatile int *)0 = 1;
    free(x);
    return IPROC % 2;
}
C
"$mogcc" -O2 --order-time=0 --emit=image program.c -o program || exit 1
"$mogrun" -n 70 --device=reference program 2>/dev/null | sort >expected
for engine in sequence blocks; do
    for service in clean concurrent; do
        watched "$mogrun" -n 70 --device=cuda --engine=$engine --service=$service program >out 2>err
        got=$?
        if grep -q ThreadSanitizer err || [ $got -ne 1 ]; then fail "$engine, $service: status $got: $(head -n 30 err)"; fi
        sort out | cmp -s - expected || fail "$engine, $service: other output"
    done
done
exit $((failures != 0))

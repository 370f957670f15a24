#!/bin/sh
# several_devices.sh MOGCC MOGRUN EMULATION: several devices in one run do, to the order of lines, what one does; what goes wrong on one of
# them is said with its name. OpenCL is left out aloud where it is not.
set -u
mogcc=$1 mogrun=$2 emulation=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export MOG_CUDA_DRIVER="$emulation" MOG_NVRTC="$emulation" MOG_CACHE_DIR="$work/cache" POCL_DEVICES="pthread pthread" MOG_EMULATED_CUDA=devices=2
cat >program.c <<'C'
#include <mog.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static double sum(int n) { double s = 0; for (int i = 1; i <= n; i++) s += 1.0 / i; return s; }
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "lines";
    int pe = mog_rank();
    char line[64];
    if (strcmp(what, "spin") == 0) for (;;) if (sum(1000) < 0) return 1;
    if (strcmp(what, "compute") == 0) {
        for (int i = 0, n = argc > 2 ? atoi(argv[2]) : 50; i < n; i++) if (sum(1000) < 0) return 1;
        printf("%d: %.6f\n", pe, sum(100));
        return 0;
    }
    printf("PE %d of %d: %.6f\n", pe, mog_size(), sum(10 + pe));
    fflush(stdout);
    if (strcmp(what, "fault") == 0 && pe % 3 == 1) *(volatile int *)0 = pe;
    if (strcmp(what, "kill") == 0 && pe % 4 == 2) kill(getpid(), SIGTERM);
    if (strcmp(what, "sleep") == 0) {
        struct timespec pause = {0, (pe % 3) * 20000000};
        nanosleep(&pause, NULL);
        printf("PE %d is awake\n", pe);
    }
    if (strcmp(what, "files") == 0) {
        int fd = open("shared", O_RDWR | O_CREAT, 0600);
        sprintf(line, "%07d\n", pe);
        if (pwrite(fd, line, 8, 8 * pe) != 8) return 1;
        close(fd);
    }
    if (strcmp(what, "stdin") == 0)
        while (fgets(line, sizeof line, stdin)) printf("PE %d read %s", pe, line);
    return strcmp(what, "status") == 0 ? pe % 5 : 0;
}
C
MOG_CXX=${CXX:-c++} "$mogcc" -O2 -g --order-time=0 --build-time=0.25 --simd=none program.c -o program || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# What a run gives: status, both streams, the file it wrote. Registers tell of times and addresses of the environment. Where a slice or the
# time ends, and who wakes first, is not the same on all devices: then the order of lines, or the place, is not compared.
give() {
    rm -f shared
    "$mogrun" "$@" >out 2>err <input
    echo "status $?"
    case $* in *compute* | *sleep*) sort out;; *) cat out;; esac
    case $* in *--timeout*) sed '/^#0/,$d' err;; *) sed '/^registers/,$d' err;; esac
    [ ! -f shared ] || cat shared
}
seq 1 20 >input
lists="host=1,cuda:0=2 cuda:1=1,cuda:0=1,reference=1"
if "$mogrun" --list-devices | grep -q '^opencl:1'; then
    lists="$lists host=3,opencl:0=1 opencl:1=1,opencl:0=1"
else
    echo "skipped: lists with opencl: there are no two OpenCL devices"
fi
for what in lines fault kill sleep files status "stdin --stdin=7" "stdin --stdin=all" "lines --tag-output --strace=3,9" "fault --on-fault=abort" \
    "lines --fuel=2000" "spin --fuel=200000" "compute --slice=4001" "spin --timeout=0.3" "lines --profile=counts"; do
    options= argument=${what%% *}
    [ "$argument" = "$what" ] || options=${what#* }
    # shellcheck disable=SC2086 # several options
    give -n 13 --device=reference --slice=100000 $options program "$argument" >expected
    [ "${options#--profile}" = "$options" ] || grep -v -e '^jump' -e '^end' counts >counts.expected
    for list in $lists; do
        # shellcheck disable=SC2086
        give -n 13 --device="$list" --slice=100000 $options program "$argument" >got
        grep -v 'does not count, so the reference machine' got >got.said
        cmp -s expected got.said || { fail "$what on $list is not what the reference machine gives"; diff expected got.said | head -8; }
        [ "${options#--profile}" = "$options" ] || grep -v -e '^jump' -e '^end' counts | cmp - counts.expected || fail "counts of $list"
    done
done

# expect STATUS PATTERN COMMAND...: a word about it on standard error, or for statistics.
expect() {
    status=$1 pattern=$2
    shift 2
    "$@" >out 2>err </dev/null
    got=$?
    if [ $got -ne "$status" ] || ! grep -q -- "$pattern" err; then
        fail "$(printf '%s\n  wanted status %s and: %s\n  got status %s and: %s' "$*" "$status" "$pattern" $got "$(cat err)")"
    fi
}
# A device that is lost: named, and what was printed is out, that of the others too.
MOG_EMULATED_CUDA=lost_after=9 expect 3 'cuda:0: .*CUDA_ERROR_LAUNCH_FAILED' "$mogrun" -n 66 --device=host=1,cuda:0=1 program sleep
grep -q 'PE 0 of 66' out && grep -q 'PE 65 of 66' out || fail "what was printed before is lost"
# Limits of memory: shares follow them, and where nothing would fit it is said.
MOG_EMULATED_CUDA=memory=64M expect 0 '"device":"cuda:0".*"first_pe":0,"pes":32' "$mogrun" -n 64 --mem=1M --stats=json --device=cuda:0=9,host=1 program
MOG_EMULATED_CUDA=devices=2,memory=16M expect 3 '64 PEs with 1024 KiB each do not fit cuda:0,cuda:1: \|no room for a PE' \
    "$mogrun" -n 64 --mem=1M --device=cuda:0,cuda:1 program
# Engines that a device does not have.
expect 3 'cuda:0: --engine=lanes is for the device "host"' "$mogrun" -n 64 --engine=lanes --device=cuda:0=1,reference=1 program
expect 3 'names host twice' "$mogrun" --device=host,cuda:0,host program
expect 3 'no device cuda:9' "$mogrun" --device=host,cuda:9 program
expect 2 'every device has a weight, or none' "$mogrun" --device=host=1,cuda:0 program
expect 3 'measures one device' "$mogrun" --calibrate --device=host,reference
expect 1 'trace works on --device=reference' "$mogrun" --trace --device=host,reference program
# All: both cards and the processor, once; what has no room is left out with a word.
expect 0 '"device":"cuda:0,cuda:1,host"' "$mogrun" -n 40 --stats=json --device=all program
expect 0 'without cuda:0: .*no room' env MOG_EMULATED_CUDA=memory=8M "$mogrun" -n 3 --mem=1M --device=all --stats program
MOG_EMULATED_CUDA=devices=0 expect 0 'device  *host (' "$mogrun" -n 3 --device=all --stats program
# Without a number of PEs: as many as fill them all.
expect 0 '"devices":\[{"device":"cuda:0"' "$mogrun" --mem=64K --stats=json --device=cuda:0,host program

# Speeds are measured, and remembered for the next run: the second shares out by what the first took.
export MOG_CACHE_DIR="$work/speeds"
host_pes() { "$mogrun" -n 256 --device=host,reference --stats=json program compute 500 2>&1 >/dev/null | sed 's/.*"device":"host"[^}]*"pes":\([0-9]*\).*/\1/'; }
first=$(host_pes) wanted=$(sed -n 's/^host: \(.*\) % of the speed/\1/p' speeds/*.log)
second=$(host_pes)
[ "$first" -eq 244 ] || fail "$first of 256 PEs on host at first, not 20 of 21"
[ "$(echo "$second" "$wanted" | awk '{ d = $1 - 2.56 * $2; print (d > -1 && d < 1) }')" -eq 1 ] || fail "$second of 256 PEs on host, but speeds say $wanted %"
exit $((failures > 0))

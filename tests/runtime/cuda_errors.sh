#!/bin/sh
# cuda_errors.sh MOGCC MOGRUN EMULATION: what goes wrong with CUDA is said in a sentence, with status 3, and what PEs printed before is out.
set -u
mogcc=$1 mogrun=$2 emulation=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >program.c <<'C'
#include <mog.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        printf("line %d of %d\n", i, mog_rank());
        fflush(stdout);
    }
    return 0;
}
C
MOG_CXX= "$mogcc" -O1 --order-time=0 --build-time=0 --emit=image program.c -o program || exit 1
failures=0

# expect STATUS PATTERN FAULTS COMMAND...: on a device with these faults.
expect() {
    status=$1 pattern=$2 faults=$3
    shift 3
    MOG_CUDA_DRIVER=${driver-$emulation} MOG_NVRTC=${nvrtc-$emulation} MOG_EMULATED_CUDA=$faults MOG_CACHE_DIR=$work/${cache-cache} \
        "$@" >out 2>err </dev/null
    got=$?
    if [ $got -ne "$status" ] || { [ -n "$pattern" ] && ! grep -q -- "$pattern" err; }; then
        printf 'FAILED: %s with "%s"\n  wanted status %s and: %s\n  got status %s and: %s\n' "$*" "$faults" "$status" "$pattern" $got "$(cat err)"
        failures=$((failures + 1))
    fi
}

# The emulation's compiler is asked where a program runs at all.
expect 0 '' '' "$mogrun" -n 33 --device=cuda program
[ "$(wc -l <out)" -eq 99 ] || { echo "FAILED: $(wc -l <out) lines, not 99"; failures=$((failures + 1)); }
expect 3 'CUDA_ERROR_NO_DEVICE' devices=0 "$mogrun" --device=cuda program
expect 3 'there is no device cuda:7; the last one is cuda:1' devices=2 "$mogrun" --device=cuda:7 program
expect 0 '' devices=2 "$mogrun" --device=cuda:1 program
expect 3 'is for CUDA 10.2, and MOG needs one for CUDA 11.0' driver=10020 "$mogrun" --device=cuda program
expect 3 'free: not one would fit; pass --mem=[0-9]*K' memory=8M "$mogrun" -n 64 --mem=1M --device=cuda program
expect 3 'NVRTC of CUDA 13.0 compiles for devices from sm_75 on, and this one is sm_60' capability=60 "$mogrun" --device=cuda program
cache=broken expect 3 'nvrtcCompileProgram failed' compile=fail "$mogrun" --device=cuda program
driver=$work/none.so expect 3 'MOG_CUDA_DRIVER' '' "$mogrun" --device=cuda program
nvrtc=$work/none.so expect 3 'MOG_NVRTC' '' "$mogrun" --device=cuda program
unset driver nvrtc cache
# Lost in the middle: launch 1 starts PEs, others run and serve them.
expect 3 'CUDA_ERROR_LAUNCH_FAILED' lost_after=8 "$mogrun" -n 33 --device=cuda program
grep -q 'line 0 of 32' out || { echo "FAILED: what was printed before is lost"; failures=$((failures + 1)); }
expect 2 'not a device' '' "$mogrun" --device=cuda:x program

# Kept code that the driver refuses, here for another card, is made anew and replaced; what is refused when it is new is an error.
kept() { echo "$work/$1"/*.bin; }
cache=other expect 0 '' capability=75 "$mogrun" -n 33 --device=cuda program
cache=own expect 0 '' capability=90 "$mogrun" -n 33 --device=cuda program
cp "$(kept other)" "$(kept own)"
cache=own expect 0 '' capability=90 "$mogrun" -n 33 --device=cuda program
[ "$(wc -l <out)" -eq 99 ] || { echo "FAILED: $(wc -l <out) lines, not 99, with another card's code in the cache"; failures=$((failures + 1)); }
cmp -s "$(kept other)" "$(kept own)" && { echo "FAILED: another card's code is still in the cache"; failures=$((failures + 1)); }
cache=own expect 0 'cached' capability=90 "$mogrun" -n 33 --stats --device=cuda program
for _ in new kept; do
    cache=refused expect 3 'cuModuleLoadDataEx failed' driver=12000,capability=130 "$mogrun" --device=cuda program
done
unset cache

# Without CUDA a program finds another device, and says why it is not cuda.
MOG_CUDA_DRIVER=$work/none.so "$mogrun" --list-devices >out
grep -q 'MOG_CUDA_DRIVER' out || { echo "FAILED: no reason why there is no CUDA device"; failures=$((failures + 1)); }
exit $((failures > 0))

#!/bin/sh
# auto_device.sh MOGCC MOGRUN WORK: `auto` does not open OpenCL where no GPU can be, and PoCL leaves no handlers of signals behind.
set -u
mogcc=$1 mogrun=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 1
unset MOG_DEVICE MOG_NPROC POCL_DEVICES OCL_ICD_VENDORS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

printf '#include <stdio.h>\n#include <unistd.h>\nint main(void) { puts("ready"); fflush(stdout); sleep(20); return 0; }\n' >waits.c
"$mogcc" --build-time=0 --order-time=0.001 waits.c -o waits || exit 1

# start COMMAND...: in the background, until the program runs; its number is in $process.
start() {
    : >out
    "$@" >>out 2>err &
    process=$!
    tries=0
    until grep -q ready out || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
    grep -q ready out || fail "$*: does not begin"
}
maps() { grep -c 'libOpenCL\|libpocl' "/proc/$process/maps"; }
# ends_by NUMBER NAME: the signal ends it.
ends_by() {
    kill -"$2" "$process"
    { wait "$process"; } 2>/dev/null
    status=$?
    [ $status -eq $((128 + $1)) ] || { fail "SIG$2 gives status $status"; kill -KILL "$process" 2>/dev/null; }
}

is_pocl_alone() {
    for device in /dev/nvidiactl /dev/nvidia0 /dev/nvhost-gpu /dev/nvgpu /dev/kfd /dev/dri/renderD128 /dev/dxg; do
        [ ! -e $device ] || return 1
    done
    grep -q pocl /etc/OpenCL/vendors/*.icd 2>/dev/null && ! grep -qv 'pocl\|intelocl\|oclgrind' /etc/OpenCL/vendors/*.icd
}
if is_pocl_alone; then
    start "$mogrun" -n 1 ./waits
    [ "$(maps)" -eq 0 ] || fail "auto opens OpenCL"
    ends_by 14 ALRM
    # Somebody who names devices to PoCL wants them looked at.
    start env POCL_DEVICES=basic "$mogrun" -n 1 ./waits
    [ "$(maps)" -ne 0 ] || fail "auto does not open OpenCL with POCL_DEVICES"
    ends_by 14 ALRM
fi
if "$mogrun" --list-devices | grep -q '^opencl'; then
    start "$mogrun" -n 1 --device=opencl ./waits
    [ "$(maps)" -ne 0 ] || fail "opencl does not open OpenCL"
    caught=$(sed -n 's/^SigCgt:[\t ]*//p' "/proc/$process/status")
    # Of the first 32 only SIGFPE (8) may be, and SIGUSR1 (10), at which mogrun tells what PEs do.
    [ $((0x$caught & 0xfffffd7f)) -eq 0 ] || fail "signals are caught: $caught"
    ends_by 12 USR2
fi
[ $failures -eq 0 ] && echo 'all as expected'
exit $((failures != 0))
